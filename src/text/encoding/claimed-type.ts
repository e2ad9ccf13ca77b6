/**
 * Whether bytes are what somebody says that they are. A type has several names, and a container with sound alone has the
 * signature of one with pictures; a text may be called after what it means.
 */

/** Other names, and what differs only in what a container holds. */
const KNOWN_AS: Readonly<Record<string, string>> = {
  "image/jpg": "image/jpeg",
  "image/pjpeg": "image/jpeg",
  "image/x-png": "image/png",
  "image/x-ms-bmp": "image/bmp",
  "image/vnd.microsoft.icon": "image/x-icon",
  "image/heif": "image/heic",
  "audio/mp3": "audio/mpeg",
  "audio/x-mpeg": "audio/mpeg",
  "audio/mpga": "audio/mpeg",
  "audio/wave": "audio/wav",
  "audio/x-wav": "audio/wav",
  "audio/vnd.wave": "audio/wav",
  "audio/x-flac": "audio/flac",
  "audio/opus": "audio/ogg",
  "application/ogg": "audio/ogg",
  "video/ogg": "audio/ogg",
  "audio/x-m4a": "audio/mp4",
  "audio/m4a": "audio/mp4",
  "video/mp4": "audio/mp4",
  "audio/aac": "audio/mp4",
  "audio/webm": "video/x-matroska",
  "video/webm": "video/x-matroska",
  "audio/x-matroska": "video/x-matroska",
};

/** @param mime by the first bytes @param claimed may have parameters: `audio/ogg; codecs=opus` */
export function differsFromClaim(mime: string, claimed: string): boolean {
  const [asked, found] = [nameOf(claimed), nameOf(mime)];
  if (asked === found) return false;
  // Many formats have no signature; nobody can tell that such bytes are not what they are called.
  const isMedia = /^(?:image|audio|video)\//;
  return isMedia.test(asked) || isMedia.test(found) || !(isOpen(asked) && isOpen(found));
}

function nameOf(mime: string): string {
  const name = (mime.split(";")[0] ?? "").trim().toLowerCase();
  return KNOWN_AS[name] ?? name;
}

/** Texts, and what has no signature. */
function isOpen(mime: string): boolean {
  return mime.startsWith("text/") || mime === "application/octet-stream" || TEXTS.test(mime);
}

const TEXTS = /^application\/(?:json|xml|yaml|toml|sql|javascript|.*\+(?:json|xml))$/;
