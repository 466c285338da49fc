/** Turns texts into packed vectors (db/search/vectors.ts). */
export interface Embedder {
  readonly model: string
  /**
   * The vectors of the texts, in their order.
   * @throws SvcError `embedding-failed`, `egress-denied`
   */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<Uint8Array[]>
}
