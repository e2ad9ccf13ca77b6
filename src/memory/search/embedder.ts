/**
 * Vectors of texts, whoever makes them: a static model in a folder, or an address. They are kept as bytes, one a dimension, of
 * length one: a product of two is how near their meanings are.
 */

/** One model. Vectors of two models cannot be compared. */
export interface EmbeddingModel {
  /** Another model has another name. */
  readonly name: string;
}

/** A model that is here. */
export interface LocalModel extends EmbeddingModel {
  readonly embed: (text: string) => Float32Array;
}

/** A vector of length one, in 127ths; all zero for a text without a meaning. */
export function quantised(vector: ArrayLike<number>): Int8Array {
  let square = 0;
  for (let at = 0; at < vector.length; at++) square += (vector[at] ?? 0) ** 2;
  const scale = square > 0 ? 127 / Math.sqrt(square) : 0;
  return Int8Array.from({ length: vector.length }, (_, at) => Math.round((vector[at] ?? 0) * scale));
}
