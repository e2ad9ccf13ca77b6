/**
 * Pages as a browser meets them, and pages that want to hang it, flood it or lead it away. Every request is kept, so that tests can
 * tell what was asked for.
 */
import { SECRET_PAGE, SECRETS } from "../web/secret-page.ts";

export interface PageSite extends AsyncDisposable {
  /** `http://127.0.0.1:PORT` */
  readonly at: string;
  /** `127.0.0.1:PORT` */
  readonly host: string;
  /** Paths that were asked for. */
  readonly asked: string[];
}

const LONG_LINK = `${"x".repeat(90)} ${SECRETS[0]}`;

const PAGES: Readonly<Record<string, string>> = {
  "/": `<title>A page</title><nav><a href="/nav">Navigation</a></nav><article><h1>Heading</h1><p id="p">before</p>
    <p>${"Words of an article that is long enough to be one. ".repeat(20)}</p><a href="/next">Next page</a></article>
    <script>document.getElementById("p").textContent = "written by a script"; console.error("a complaint", 7);
    setTimeout(() => { throw new Error("thrown later") }, 0)</script>`,
  "/secrets": SECRET_PAGE.replace("</article>", `<a href="/${LONG_LINK.repeat(6)}">${LONG_LINK}</a></article>`),
  "/red": `<style>body{margin:0;background:#f00}#box{position:absolute;left:40px;top:3000px;width:200px;height:100px;background:#00f}</style><div id="box"></div><div style="height:4000px"></div>`,
  "/huge": `<body style="margin:0"><div style="width:200000px;height:9000000px;background:linear-gradient(red,blue)">x</div>`,
  "/links": `<p>many</p><script>document.body.innerHTML = '<a href="/l">link</a> '.repeat(100000)</script>`,
  "/alerts": `<p>there</p><script>for (;;) alert("again")</script>`,
  "/confirm": `<p>there</p><script>document.querySelector("p").textContent = "said " + confirm("really?")</script>`,
  "/spin": `<p>there before the loop</p><script>for (;;) {}</script><p>never</p>`,
  "/spin-later": `<p>loaded</p><script>onload = () => setTimeout(() => { for (;;) {} }, 100)</script>`,
  "/windows": `<p>there</p><script>let n = 0; for (let i = 0; i < 500; i++) if (window.open("/popup" + i)) n++; document.querySelector("p").textContent = n + " windows"</script>`,
  "/fetches": `<p>there</p><script>for (let i = 0; i < 5000; i++) fetch("/f" + i).catch(() => {})</script>`,
  "/console": `<p>there</p><script>for (let i = 0; i < 3000; i++) console.error("x".repeat(1000))</script>`,
  "/refresh": `<meta http-equiv="refresh" content="0; url=/refreshed"><p>first</p>`,
  "/refreshed": `<p>refreshed</p>`,
  "/refresh-loop": `<p>loop</p><script>location.href = "/refresh-loop?" + Math.random()</script>`,
  "/refresh-file": `<meta http-equiv="refresh" content="0; url=file:///etc/passwd"><p>stays here</p>`,
  "/refresh-away": `<meta http-equiv="refresh" content="0; url=http://evil.test/"><p>stays here</p>`,
  "/worker": `<p id="p">no worker</p><script>
    const w = new Worker("/worker.js"); w.onmessage = ({ data }) => { document.getElementById("p").textContent = data };</script>`,
  "/service": `<p id="p">registering</p><script>navigator.serviceWorker?.register("/service.js")
    .then(() => { document.getElementById("p").textContent = "registered" }, (e) => { document.getElementById("p").textContent = String(e) });
    new SharedWorker("/shared.js")</script>`,
  "/clobber": `<form name="links"></form><form name="documentElement"></form><img name="querySelectorAll"><p>still read</p><a href="/found">found</a>
    <script>Document.prototype.querySelectorAll = () => []; String = null; JSON.stringify = () => "{}"</script>`,
  "/hidden": `<p>seen\u202e\u200b</p>`,
  "/sockets": `<p id="p">trying</p><script>
    const open = "(of => { for (const [kind, make] of [['ws', a => new WebSocket(a.replace('http', 'ws'))], ['events', a => new EventSource(a)], ['fetch', a => fetch(a).catch(() => {})]])" +
      " try { make(HOST + '/closed/' + kind + '-' + of) } catch {} })";
    const at = (of) => open.replace("HOST", JSON.stringify(location.origin)) + "(" + JSON.stringify(of) + ");";
    eval(at("page"));
    const blank = document.body.appendChild(document.createElement("iframe"));
    blank.contentWindow.eval(at("blank"));
    const mute = document.createElement("iframe");
    mute.sandbox = "allow-same-origin";
    document.body.appendChild(mute);
    try { new mute.contentWindow.WebSocket(location.origin.replace("http", "ws") + "/closed/ws-mute") } catch {}
    const muted = document.createElement("iframe");
    muted.sandbox = "allow-same-origin";
    muted.src = "/refreshed";
    muted.onload = () => { try { new muted.contentWindow.WebSocket(location.origin.replace("http", "ws") + "/closed/ws-muted") } catch {} };
    document.body.appendChild(muted);
    document.body.appendChild(document.createElement("iframe")).srcdoc = "<script>" + at("srcdoc") + "</" + "script>";
    document.body.appendChild(document.createElement("iframe")).src = "data:text/html,<script>" + encodeURIComponent(at("data")) + "</" + "script>";
    const blob = (text) => URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
    new Worker(blob(at("blob") + "new Worker(" + JSON.stringify(blob(at("nested"))) + ")"));
    new Worker("/socket-worker.js?" + encodeURIComponent(at("worker")));
    setTimeout(() => { const late = document.body.appendChild(document.createElement("iframe")); late.contentWindow.eval(at("late")) }, 100);
    setTimeout(() => document.getElementById("p").textContent = "tried", 500)</script>`,
  "/frame": `<p>outer</p><iframe src="http://evil.test/frame"></iframe><iframe src="/refreshed"></iframe>`,
  "/cookie": `<p id="p"></p><script>document.getElementById("p").textContent = "cookie " + document.cookie; document.cookie = "a=b; max-age=1000"</script>`,
  "/grow": `<p>growing</p><script>const all = []; for (;;) all.push(new Uint8Array(16 << 20).fill(7))</script>`,
  "/ticks": `<p>ticking</p><script>const go = () => fetch("/tick").then(go, () => setTimeout(go, 1)); go()</script>`,
  "/deep": `<p>deep</p>${"<div>".repeat(5000)}end`,
  "/permissions": `<p id="p"></p><script>
    const say = (t) => { document.getElementById("p").textContent += t + " " };
    globalThis.Notification?.requestPermission().then(say, () => say("none"));
    navigator.geolocation.getCurrentPosition(() => say("placed"), () => say("nowhere"));
    navigator.mediaDevices?.getUserMedia({ video: true }).then(() => say("filmed"), () => say("unseen"))</script>`,
};

const SCRIPTS: Readonly<Record<string, string>> = {
  "/worker.js": `fetch("/from-worker").then(() => fetch("http://evil.test/w")).then(() => postMessage("reached"), () => postMessage("kept back"))`,
  "/service.js": `fetch("/from-service")`,
  "/socket-worker.js": `eval(decodeURIComponent(location.search.slice(1)))`,
  "/shared.js": `fetch("/from-shared")`,
};

export function openPageSite(): PageSite {
  const asked: string[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    fetch(request) {
      const { pathname } = new URL(request.url);
      asked.push(pathname);
      return answer(pathname);
    },
  });
  return {
    at: `http://127.0.0.1:${server.port}`,
    host: `127.0.0.1:${server.port}`,
    asked,
    async [Symbol.asyncDispose]() {
      await server.stop(true);
    },
  };
}

const html = { "content-type": "text/html; charset=utf-8" };

function answer(path: string): Response | Promise<Response> {
  const page = PAGES[path];
  if (page !== undefined) return new Response(page, { headers: html });
  const script = SCRIPTS[path];
  if (script !== undefined) return new Response(script, { headers: { "content-type": "text/javascript" } });
  switch (path) {
    case "/endless":
      return new Response(endless("<p>here and </p>", "<p>more</p>\n"), { headers: html });
    case "/flood":
      return new Response(endless("<p>here and </p>", "<p>more</p>\n", 1000), { headers: html });
    case "/hangs":
      return new Response(endless("<p>here it hangs</p>"), { headers: html });
    case "/silent":
      return Promise.withResolvers<Response>().promise;
    case "/download":
      return new Response("bytes", { headers: { "content-disposition": "attachment; filename=a.bin", ...html } });
    case "/json":
      return Response.json({ a: 1 });
    case "/teapot":
      return new Response("<p>no coffee</p>", { status: 418, headers: html });
    case "/to-file":
      return new Response("", { status: 302, headers: { location: "file:///etc/passwd" } });
    case "/to-evil":
      return new Response("", { status: 302, headers: { location: "http://evil.test/taken" } });
    case "/to-data":
      return new Response("", { status: 302, headers: { location: "data:text/html,<p>data</p>" } });
    case "/to-next":
      return new Response("", { status: 302, headers: { location: "/refreshed" } });
    default:
      return new Response("<p>some page</p>", { headers: html });
  }
}

/** Never ends; with `more` it goes on and on. */
function endless(first: string, more?: string, times = 1): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    start: (controller) => controller.enqueue(encoder.encode(first + " ".repeat(2000))),
    pull(controller) {
      if (more === undefined) return Promise.withResolvers<void>().promise;
      controller.enqueue(encoder.encode(more.repeat(times)));
      // As fast as it is taken, with a turn for everybody else.
      return new Promise<void>((resolve) => setImmediate(resolve));
    },
  });
}
