import type { ImportSource } from '../../../../src/api/imports.ts'
import type { ChosenOverlay } from './overlay-files.ts'

/** What is to be imported, as it was chosen in the browser or named by an address. */
export type Chosen =
  | { readonly kind: 'text'; readonly name: string; readonly text: string }
  | {
      readonly kind: 'tree'
      readonly name: string
      /** Whether the name is that of one folder that holds all of them. */
      readonly isFolder: boolean
      readonly files: readonly TreeFile[]
      readonly bytes: number
    }
  | { readonly kind: 'archive'; readonly name: string; readonly base64: string; readonly bytes: number }
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'git'; readonly url: string; readonly ref: string; readonly path: string }

export interface TreeFile {
  /** Relative to what was chosen, with slashes. */
  readonly path: string
  readonly content: string
}

const archiveName = /\.(zip|tar|tgz|tar\.gz)$/i

export const isArchive = (name: string): boolean => archiveName.test(name)

const pathOf = (url: string): string => url.replace(/[?#].*$/s, '')

/** Whether it may hold several documents that do not belong together. */
export const mayHoldSeveral = (chosen: Chosen): boolean => {
  if (chosen.kind === 'url') return isArchive(pathOf(chosen.url))
  return chosen.kind !== 'text'
}

/** What it is called on the page. */
export const nameOf = (chosen: Chosen): string => ('name' in chosen ? chosen.name : chosen.url)

/** Its size in bytes where that is known before it is sent. */
export const sizeOf = (chosen: Chosen): number | null => {
  if (chosen.kind === 'text') return new Blob([chosen.text]).size
  return 'bytes' in chosen ? chosen.bytes : null
}

/** The same as the service takes it. */
export const toSource = (chosen: Chosen): ImportSource => {
  switch (chosen.kind) {
    case 'text':
      return { kind: 'inline', name: chosen.name, content: chosen.text }
    case 'tree':
      return { kind: 'files', name: chosen.name, files: [...chosen.files] }
    case 'archive':
      return { kind: 'archive', name: chosen.name, content_base64: chosen.base64 }
    case 'url':
      return { kind: 'url', url: chosen.url }
    case 'git':
      return {
        kind: 'git',
        url: chosen.url,
        ...(chosen.ref === '' ? {} : { ref: chosen.ref }),
        ...(chosen.path === '' ? {} : { path: chosen.path }),
      }
  }
}

/** The words and options of `svc` that import the same; null for files without a folder, and for texts that are no files. */
export const commandOf = (
  chosen: Chosen,
  overlays: readonly ChosenOverlay[] = [],
): { readonly words: readonly string[]; readonly options: Record<string, string> } | null => {
  if (chosen.kind === 'tree' && !chosen.isFolder) return null
  if (overlays.some((it) => !it.isFile)) return null
  const named = overlays.flatMap(({ name }) => ['--overlay', name])
  if (chosen.kind === 'git')
    return { words: ['import', 'git', chosen.url, ...named], options: { ref: chosen.ref, path: chosen.path } }
  return { words: ['import', 'auto', nameOf(chosen), ...named], options: {} }
}
