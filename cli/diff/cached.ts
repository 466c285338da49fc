/** Compares two texts, those that did not change since the last time from the cache. */
import type { Document } from '../../src/document/document.ts'
import { ExactNumber } from '../../src/document/exact.ts'
import type { ResultCache } from '../cache/cache.ts'
import { areUnchanged, FilesRecorder, type FilesRead } from '../input/files-read.ts'
import { readWhole } from '../input/document-side.ts'
import type { SourceText, UnreadText } from '../input/document-source.ts'
import { compareDocuments, type Compared } from './compared.ts'
import type { Settings } from './settings.ts'

interface Entry {
  readonly baseFiles: FilesRead
  readonly headFiles: FilesRead
  readonly compared: Omit<Compared, 'anchors'> & { readonly anchors: readonly (readonly [string, unknown])[] }
}

// What an address answers changes, and so do the places in overlays, without the text of the side.
const isKeptApart = (side: SourceText | UnreadText): boolean =>
  /^https?:/i.test(side.place) || ('entry' in side && side.entry !== undefined)

/** Whether JSON keeps a value: it turns numbers beyond doubles into texts, and -0 into 0. */
function isKept(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0)
  if (typeof value !== 'object' || value === null) return true
  return !(value instanceof ExactNumber) && Object.values(value).every(isKept)
}

/** A side that is read. */
export const wholeText = (side: SourceText | UnreadText): SourceText | Promise<SourceText> =>
  'text' in side ? side : side.read()

const contentOf = (side: SourceText | UnreadText): string[] => ('text' in side ? ['text', side.text] : ['id', side.id])

const keyOf = (cache: ResultCache, base: SourceText | UnreadText, head: SourceText, settings: Settings): string => {
  const { profile, overrides, ignore, asOf, mode, scope } = settings
  const how = JSON.stringify([profile, overrides, ignore, asOf, mode ?? null, scope])
  return cache.key('diff', how, base.name, base.place, ...contentOf(base), head.name, head.place, head.text)
}

const unchanged = (read: FilesRead, { files }: Pick<SourceText, 'files'>): boolean | Promise<boolean> =>
  files === null ? read.length === 0 : areUnchanged(read, files)

/** A side that several others are compared with: its document is read once. */
export interface SharedSide {
  readonly text: SourceText
  read(): Promise<Document>
  /** What `read` has read beside the text. */
  readonly files: FilesRecorder
}

/** A text whose reading of other files is noted. */
export const watched = (side: SourceText, files: FilesRecorder): SourceText =>
  side.files === null ? side : { ...side, files: files.watch(side.files) }

/**
 * Compares two sides; the older one is read where its result is not kept. What is read from an address is compared without the cache.
 * @throws SvcError as `readWhole` and `compareDocuments` do
 */
export async function compareTexts(
  older: SourceText | UnreadText,
  { text: head, read, files: headFiles }: SharedSide,
  settings: Settings,
  cache: ResultCache | null,
): Promise<Compared> {
  const baseFiles = new FilesRecorder()
  const compare = async (base: SourceText): Promise<Compared> =>
    compareDocuments(await readWhole(watched(base, baseFiles)), await read(), settings, null)
  if (cache === null || isKeptApart(older) || isKeptApart(head)) return compare(await wholeText(older))
  const key = keyOf(cache, older, head, settings)
  const known = (await cache.get(key)) as Entry | null
  if (known !== null && (await unchanged(known.baseFiles, older)) && (await unchanged(known.headFiles, head)))
    return { ...known.compared, anchors: new Map(known.compared.anchors) as Compared['anchors'] }
  const base = await wholeText(older)
  const compared = await compare(base)
  const entry: Entry = {
    baseFiles: baseFiles.read,
    headFiles: headFiles.read,
    compared: { ...compared, anchors: [...compared.anchors] },
  }
  // Types change without the files that refer to them.
  const usesTypes = base.types?.isUsed === true || head.types?.isUsed === true
  if (!usesTypes && isKept(entry)) cache.put(key, entry)
  return compared
}
