/**
 * What the person has said so far, where it belongs, and how it is taken back.
 */
import type { JSX } from "preact";
import type { Store } from "../store.ts";

/** What is said about a file, or about the proposal as a whole; what is said about a line stands below it. */
export function Comments({ store, path }: { readonly store: Store; readonly path: string | undefined }): JSX.Element {
  return (
    <>
      {store.choices.comments.map((comment, at) =>
        comment.path === path && comment.line === undefined ? (
          <Said key={at} text={comment.text} onRemove={() => store.removeComment(at)} />
        ) : null,
      )}
    </>
  );
}

export function Said({ text, onRemove }: { readonly text: string; readonly onRemove: () => void }): JSX.Element {
  return (
    <div class="said">
      <span>{text}</span>
      <button type="button" aria-label={`Remove the comment: ${text.slice(0, 40)}`} onClick={onRemove}>
        Remove
      </button>
    </div>
  );
}
