/** What archives and packages consist of: entries with fixed owners, modes and times, in one order, so that the same content gives the same bytes. */

export interface Entry {
  /** Without a slash at the beginning or the end. */
  readonly path: string
  /** Permissions, as 0o755. */
  readonly mode: number
  /** The user and group that it belongs to; root without it. */
  readonly owner?: number
  /** The bytes of a file; null for a folder. */
  readonly content: Uint8Array | null
}

export const file = (path: string, content: string | Uint8Array, mode = 0o644): Entry => ({
  path,
  mode,
  content: typeof content === 'string' ? Buffer.from(content) : content,
})

const byPath = (a: Entry, b: Entry): number => {
  if (a.path === b.path) return 0
  return a.path < b.path ? -1 : 1
}

/**
 * The entries in the order of their paths, each once.
 * @throws Error where two have the same path
 */
export function inOrder(entries: readonly Entry[]): readonly Entry[] {
  const sorted = entries.toSorted(byPath)
  for (const [at, { path }] of sorted.entries())
    if (sorted[at + 1]?.path === path) throw new Error(`A package has two entries "${path}".`)
  return sorted
}

/** The entries with the folders that they are in, which are the owner's to write and everybody's to read. */
export function withFolders(entries: readonly Entry[]): readonly Entry[] {
  const known = new Set(entries.map((it) => it.path))
  const folders: Entry[] = []
  for (const { path } of entries)
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
      const folder = path.slice(0, at)
      if (known.has(folder)) break
      known.add(folder)
      folders.push({ path: folder, mode: 0o755, content: null })
    }
  return inOrder([...entries, ...folders])
}
