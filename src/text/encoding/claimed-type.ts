/**
 * Whether bytes are what somebody says that they are. A type has several names, and a container with sound alone has the
 * signature of one with pictures; a text may be called after what it means. What a container holds, its signature does not
 * say: a document of an office is a zip file, so whoever names it is believed as far as the container is the right one.
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

/** By the type that the signature gives, the types that lie in such a container. */
const HELD: Readonly<Record<string, RegExp>> = {
  "application/zip":
    /^application\/(?:vnd\.(?:openxmlformats-officedocument|oasis\.opendocument)\..+|vnd\.ms-.+\.macroenabled\.12|.+\+zip|java-archive|x-zip(?:-compressed)?|vnd\.android\.package-archive|vnd\.apple\.(?:pages|numbers|keynote)|vnd\.google-earth\.kmz)$/,
  "application/x-ole-storage":
    /^application\/(?:msword|vnd\.ms-(?!.*\.macroenabled\.12$).+|vnd\.visio|x-msi|x-ole-storage|vnd\.hwp|x-hwp)$/,
  "application/gzip": /^application\/(?:x-gzip|x-tgz|x-compressed-tar|x-gtar-compressed|.+\+gzip)$/,
  "video/x-matroska": /^(?:audio|video)\/(?:webm|x-matroska)$/,
};

/** The type of bytes that do not differ from the claim: the one that is claimed, where it says more than the bytes do. */
export function typeAsClaimed(mime: string, claimed: string | undefined): string {
  if (claimed === undefined) return mime;
  const asked = plainName(claimed);
  if (!TYPE.test(asked)) return mime;
  return HELD[mime]?.test(asked) === true || (isText(mime) && isText(asked)) ? asked : mime;
}

/** A name that may stand in a header of whoever gets it. */
const TYPE = /^[a-z]+\/[a-z\d][a-z\d.+-]{0,126}$/;

function isText(mime: string): boolean {
  return isOpen(mime) && mime !== UNKNOWN && !ACTING.test(mime);
}

const UNKNOWN = "application/octet-stream";
/** A text that a client may carry out is called that by its bytes alone, and never something else. */
const ACTING = /^text\/html$|[/+]xml$|xslt|(?:java|ecma)script|[/-]sh$/;

/** @param mime by the first bytes @param claimed may have parameters: `audio/ogg; codecs=opus` */
export function differsFromClaim(mime: string, claimed: string): boolean {
  const [asked, found] = [nameOf(claimed), nameOf(mime)];
  // Whoever says that it is some bytes has said nothing.
  if (asked === found || asked === UNKNOWN || HELD[mime]?.test(plainName(claimed)) === true) return false;
  // Many formats have no signature; nobody can tell that such bytes are not what they are called.
  const isMedia = /^(?:image|audio|video)\//;
  return isMedia.test(asked) || isMedia.test(found) || !(isOpen(asked) && isOpen(found));
}

function nameOf(mime: string): string {
  const name = plainName(mime);
  return KNOWN_AS[name] ?? name;
}

function plainName(mime: string): string {
  return (mime.split(";")[0] ?? "").trim().toLowerCase();
}

/** Texts, and what has no signature. */
function isOpen(mime: string): boolean {
  return mime.startsWith("text/") || mime === UNKNOWN || TEXTS.test(mime);
}

const TEXTS =
  /^application\/(?:json|xml|(?:x-)?(?:yaml|ndjson|javascript|sh|tex)|toml|sql|jsonl|rtf|graphql|.*\+(?:json|xml|yaml))$/;
