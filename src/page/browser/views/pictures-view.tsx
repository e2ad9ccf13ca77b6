/**
 * The images of a file before and after, where it is one: its own bytes in a `data:` address, which loads nothing from anywhere.
 */
import type { JSX } from "preact";
import type { ImageBytes, ProposalImage } from "../../../calls/index.ts";

interface PicturesGiven {
  readonly images: readonly ProposalImage[];
  readonly path: string | undefined;
}

export function Pictures({ images, path }: PicturesGiven): JSX.Element | null {
  const image = path === undefined ? undefined : images.find((one) => one.path === path);
  if (!image) return null;
  return (
    <div class="pictures">
      {image.before && <Picture name="Before" image={image.before} />}
      {image.after && <Picture name="After" image={image.after} />}
    </div>
  );
}

function Picture({ name, image }: { readonly name: string; readonly image: ImageBytes }): JSX.Element {
  const { type, size, base64 } = image;
  const said = `${name}: ${type}, ${size} bytes`;
  return (
    <figure>
      <figcaption>{said}</figcaption>
      <img src={`data:${type};base64,${base64}`} alt={said} />
    </figure>
  );
}
