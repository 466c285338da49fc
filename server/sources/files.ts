import { SvcError } from '../../src/errors.ts'
import { treePath } from '../../src/import/tree-path.ts'
import { sortPaths, type Tree } from './tree.ts'

/**
 * A tree of files that are available.
 * @throws SvcError `archive-path-unsafe` for a path that leads out of it, `archive-unreadable` for one twice
 */
export function treeOfFiles(
  name: string,
  files: readonly { readonly path: string; readonly content: Uint8Array | string }[],
): Tree {
  const contents = new Map<string, Uint8Array>()
  for (const { path, content } of files) {
    const at = treePath(path)
    if (at === null || at === '') throw new SvcError('archive-path-unsafe', { source: name, entry: path })
    if (contents.has(at)) throw new SvcError('archive-unreadable', { source: name, reason: `"${at}" is in it twice` })
    contents.set(at, typeof content === 'string' ? new TextEncoder().encode(content) : content)
  }
  return {
    name,
    commit: null,
    isRemote: false,
    links: [],
    isLink: () => false,
    paths: sortPaths(contents.keys()),
    sizeOf: (path) => contents.get(path)?.byteLength ?? null,
    read: (path) => {
      const bytes = contents.get(path)
      return bytes === undefined
        ? Promise.reject(new SvcError('source-path-missing', { source: name, path }))
        : Promise.resolve(bytes)
    },
    prefetch: () => Promise.resolve(),
    close: () => Promise.resolve(),
  }
}
