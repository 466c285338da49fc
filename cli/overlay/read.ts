/** The document and the overlays that a command line names, and what applying them has to say. */
import type { Document } from '../../src/document/document.ts'
import { parseDocument } from '../../src/document/parse.ts'
import { referenceNames } from '../../src/document/reference-names.ts'
import { SvcError } from '../../src/errors.ts'
import { plural } from '../../src/kernel/plural.ts'
import type { AppliedAction } from '../../src/overlay/apply.ts'
import { isOverlay, overlayOf, placedMessage, type Overlay } from '../../src/overlay/read.ts'
import type { Invocation } from '../declare.ts'
import { readSource } from '../input/document-side.ts'
import type { SourceText } from '../input/document-source.ts'
import { unmatchedMessages } from '../../src/overlay/unmatched.ts'

export type Reading = Pick<Invocation, 'io' | 'cwd' | 'env' | 'signal' | 'connection' | 'globals'>

/** A document as it was found, and the overlays for it, in their order. */
export interface OverlayTask {
  readonly source: SourceText
  readonly document: Document
  readonly overlays: readonly Overlay[]
}

/** The arguments of commands that apply overlays. */
export const overlayArguments = [
  {
    name: 'document',
    required: true,
    summary: 'a file, an http(s) address, REVISION:PATH of git, PROJECT@VERSION, or -; or an overlay that extends one',
  },
  {
    name: 'overlays',
    variadic: true,
    summary: 'overlays, named in the same ways, in the order in which they are applied',
  },
] as const

const readText = async (
  name: string,
  reading: Reading,
): Promise<{ readonly source: SourceText; readonly document: Document }> => {
  const source = await readSource(name, { ...reading, asWritten: true })
  return { source, document: parseDocument(source.text, { source: source.name }) }
}

/** @throws SvcError `document-invalid` with the place of the first error */
export function assertParsed({ source, problems }: Document): void {
  const fault = problems.find(({ severity }) => severity === 'error')
  if (fault === undefined) return
  throw new SvcError('document-invalid', { reason: placedMessage(source, fault).replace(/\.$/, '') })
}

/** Where the document that an overlay extends is; null where it names none. */
const extendedPlace = (overlay: Overlay, { place }: SourceText): string | null =>
  overlay.extends === null ? null : (referenceNames(place, overlay.extends)[0]?.name ?? null)

const toOther = (overlay: Overlay, from: SourceText, to: SourceText): boolean => {
  const place = extendedPlace(overlay, from)
  // An address says where the document is published, which a copy of it here does not contradict.
  return place !== null && place !== to.place && !/^[a-z][a-z0-9+.-]+:/i.test(overlay.extends ?? '')
}

/**
 * Reads a document and overlays. Where the first name is an overlay, the document that it extends is read.
 * @throws SvcError `usage` where there is no overlay or no document for it; `overlay-invalid`; `document-invalid`; as `readSource` does
 */
export async function readOverlayTask(
  { document: name, overlays: names }: { readonly document: string; readonly overlays: readonly string[] },
  reading: Reading,
): Promise<OverlayTask> {
  const first = await readText(name, reading)
  const others: (typeof first)[] = []
  for (const other of names) others.push(await readText(other, reading))
  const isOverlayFirst = isOverlay(first.document.value)
  const read = (isOverlayFirst ? [first, ...others] : others).map((it) => ({ ...it, overlay: overlayOf(it.document) }))
  const [leading] = read
  if (leading === undefined) throw new SvcError('usage', { reason: `Name the overlays that are applied to ${name}` })
  const target = isOverlayFirst ? await extendedBy(leading, reading) : first
  assertParsed(target.document)
  for (const { overlay, source } of read)
    if (toOther(overlay, source, target.source))
      reading.io.log.warn(`${source.name} extends "${overlay.extends}", and is applied to ${target.source.name}.`)
  return { ...target, overlays: read.map(({ overlay }) => overlay) }
}

async function extendedBy(
  { overlay, source }: { readonly overlay: Overlay; readonly source: SourceText },
  reading: Reading,
): Promise<{ readonly source: SourceText; readonly document: Document }> {
  const place = extendedPlace(overlay, source)
  if (place === null)
    throw new SvcError('usage', {
      reason: `${source.name} is an overlay without "extends": name the document ahead of it`,
    })
  const found = await readText(place, reading)
  const name = source.files?.nameOf(place) ?? place
  return { source: { ...found.source, name }, document: { ...found.document, source: name } }
}

/** Says which actions selected nothing: that is no error, and mostly a mistake. */
export function warnOfUnmatched(
  actions: readonly AppliedAction[],
  overlays: readonly Overlay[],
  { io }: Pick<Reading, 'io'>,
): number {
  const messages = unmatchedMessages(actions, overlays)
  for (const message of messages) io.log.warn(message)
  return messages.length
}

/** "3 actions changed 12 places". */
export const appliedSentence = (actions: readonly AppliedAction[]): string => {
  const places = actions.reduce((sum, { matches }) => sum + matches, 0)
  return `${plural(actions.length, 'action')}, ${plural(places, 'place')}`
}

/** An action for programs: its position counts from 1, as messages do. */
export const actionData = ({ overlay, index, target, kind, matches }: AppliedAction): object => ({
  overlay,
  action: index + 1,
  target,
  kind,
  matches,
})
