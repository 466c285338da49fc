/** One file of an archive. */
export interface ArchiveEntry {
  readonly path: string
  readonly size: number
  read(): Promise<Uint8Array>
}

/** Checks the entries of one archive, by what their headers say. */
export interface EntryGate {
  /**
   * The path of a file in the tree, null for a folder.
   * @param it.packed compressed size in bytes, null where entries are not compressed one by one
   * @throws SvcError the refusals named `archive-…`
   */
  admit(
    name: string,
    it: { readonly isLink: boolean; readonly isFolder: boolean; readonly size: number; readonly packed: number | null },
  ): string | null
}
