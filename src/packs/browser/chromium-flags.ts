/**
 * How Chromium is started: without anything that reaches out by itself, keeps something, or asks a person.
 *
 * Nothing here is a wall. The network is held by the supervisor and the broker, the files by the fence; these flags keep a page
 * from running into walls, and the browser from trying things that nobody asked for.
 *
 * Usual mistake: to let Chromium build its own sandbox. It needs user namespaces or a program with the set-user-id bit, and
 * both are refused behind the fence, on purpose (docs/decisions/0045).
 */
import type { BrowserSettings } from "./settings.ts";

export function chromiumFlags({ width, height }: Pick<BrowserSettings, "width" | "height">): readonly string[] {
  return [
    "--headless",
    "--remote-debugging-pipe",
    "--user-data-dir={folder}/profile",
    "--no-sandbox",
    "--no-zygote",
    // One way out. Without the second flag this machine itself is asked around the proxy.
    "--proxy-server={proxy}",
    "--proxy-bypass-list=<-loopback>",
    // Names travel to the broker; none is looked up here.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    "--disable-quic",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    `--disable-features=${FEATURES.join(",")}`,
    "--disable-blink-features=WebTransport",
    "--dns-prefetch-disable",
    "--no-pings",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-domain-reliability",
    "--disable-sync",
    "--disable-client-side-phishing-detection",
    "--disable-field-trial-config",
    // Nothing is kept, and nobody is asked.
    "--disable-extensions",
    "--disable-default-apps",
    "--disable-breakpad",
    "--disable-crash-reporter",
    "--block-new-web-contents",
    "--deny-permission-prompts",
    "--disable-notifications",
    "--disable-file-system",
    "--disable-speech-api",
    "--disable-print-preview",
    "--no-first-run",
    "--no-default-browser-check",
    "--password-store=basic",
    "--use-mock-keychain",
    "--mute-audio",
    "--noerrdialogs",
    // Pages of several sites share processes: fewer of them, and each frame is under the eyes of its page's session.
    "--disable-site-isolation-trials",
    "--renderer-process-limit=2",
    "--disable-gpu",
    "--disable-3d-apis",
    // Shared memory lies in the folder that is removed with it.
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    "--force-color-profile=srgb",
    `--window-size=${width},${height}`,
    "about:blank",
  ];
}

/** What asks Google or the local network by itself, or turns http into https before the list is asked. */
const FEATURES: readonly string[] = [
  "AutofillServerCommunication",
  "CertificateTransparencyComponentUpdater",
  "DialMediaRouteProvider",
  "DnsOverHttps",
  "GlobalMediaControls",
  "HttpsFirstBalancedModeAutoEnable",
  "HttpsUpgrades",
  "InterestFeedContentSuggestions",
  "IsolateOrigins",
  "LensOverlay",
  "MediaRouter",
  "NetworkServiceSandbox",
  "OptimizationHints",
  "PreconnectToSearch",
  "SegmentationPlatform",
  "SpareRendererForSitePerProcess",
  "Translate",
  "site-per-process",
];
