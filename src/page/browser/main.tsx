/** @jsxImportSource preact */
import { render } from "preact";
render(<p>hello page of ringfence</p>, document.body);
