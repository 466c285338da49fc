/** Documents with the overlays of their API, both as the editor has them: what is open goes before what the disk has. */
import { resolve } from 'node:path'
import type { Document } from '../../src/document/document.ts'
import type { Range } from '../../src/document/position.ts'
import { SvcError, type Detail } from '../../src/errors.ts'
import type { Path } from '../../src/kernel/json.ts'
import { formatPointer } from '../../src/kernel/pointer.ts'
import type { Finding, Severity } from '../../src/lint/finding.ts'
import { fingerprintOf } from '../../src/lint/fingerprint.ts'
import type { AppliedAction } from '../../src/overlay/apply.ts'
import { readOverlay, type Overlay } from '../../src/overlay/read.ts'
import { isOverlaid, traceOverlays } from '../../src/overlay/trace.ts'
import type { OverlayFile, ProjectApi } from '../../src/project-file/settings.ts'
import type { ProjectFile } from '../project-file/find.ts'
import { keyOfPath, type Key, type Store } from './store.ts'

/** A document as its API means it. */
export interface LaidDocument {
  /** The one with overlays; as it is written where there are none, or where they cannot be applied. */
  readonly document: Document
  /** The texts of its overlays. */
  readonly overlays: readonly Key[]
  /** What is wrong with the overlays, and actions that select nothing. */
  readonly findings: readonly Finding[]
  /** Why the overlays could not be applied; null where they were, or there are none. */
  readonly failure: string | null
}

/** A document without overlays. */
export const laidAsWritten = (document: Document): LaidDocument => ({
  document,
  overlays: [],
  findings: [],
  failure: null,
})

interface Place {
  readonly source: string
  readonly path: Path
  readonly range: Range
}

/** A finding that no rule can fix, at a place of a file. */
export const findingAt = (
  code: string,
  severity: Severity,
  message: string,
  { source, path, range }: Place,
): Finding => ({
  code,
  severity,
  message,
  path,
  pointer: formatPointer(path),
  source,
  range,
  fingerprint: fingerprintOf(code, source, path),
  documentationUrl: null,
  fix: null,
})

const actionPlace = ({ document: { source, locate } }: Overlay, index: number): Place => {
  const path = ['actions', index, 'target']
  return { source, path, range: locate(path) }
}

/** An action that selects nothing, or null for one that does. */
function unmatchedFinding({ index, target, matches, kind }: AppliedAction, overlay: Overlay): Finding | null {
  if (matches > 0 || kind === 'none') return null
  return findingAt('overlay-unmatched', 'warning', `This matches nothing: ${target}.`, actionPlace(overlay, index))
}

function missingFinding({ path, at }: OverlayFile, { path: file }: ProjectFile): Finding {
  const place = { source: keyOfPath(file), path: [], range: { start: at, end: at } }
  return findingAt('overlay-missing', 'error', `The overlay "${path}" does not exist.`, place)
}

function failedFinding(error: SvcError, overlays: readonly Overlay[]): Finding {
  const { source, action, reason } = error.detail as Detail<'overlay-failed'>
  const overlay = overlays.find(({ document }) => source.startsWith(`${document.source}:`)) ?? overlays[0]!
  const message = `The action cannot be applied: ${reason}.`
  return findingAt('overlay-failed', 'error', message, actionPlace(overlay, Number(action) - 1))
}

/**
 * The document of an API with the overlays that `svc.yaml` names for it.
 * @param api null for a document that belongs to none
 * @param document the root of the API, or any other, which has no overlays
 */
export async function withEditorOverlays(
  document: Document,
  { api, file }: { readonly api: ProjectApi | null; readonly file: ProjectFile },
  store: Store,
): Promise<LaidDocument> {
  const named = api !== null && resolve(api.root) === resolve(document.source) ? api.overlays : []
  const keys = named.map(({ path }) => keyOfPath(path))
  const findings: Finding[] = []
  const overlays: Overlay[] = []
  for (const [at, one] of named.entries()) {
    const text = await store.read(keys[at] ?? '')
    if (text === null) {
      findings.push(missingFinding(one, file))
      continue
    }
    const { overlay, problems } = readOverlay(text)
    for (const { code, severity, message, path, range } of problems)
      findings.push(findingAt(code, severity, message, { source: text.source, path, range }))
    if (overlay !== null) overlays.push(overlay)
  }
  const as = (failure: string | null): LaidDocument => ({ document, overlays: keys, findings, failure })
  if (named.length === 0 || document.problems.some(({ severity }) => severity === 'error')) return as(null)
  if (overlays.length < named.length)
    return as(findings.find(({ severity }) => severity === 'error')?.message ?? 'An overlay cannot be read.')
  try {
    const made = traceOverlays(document, overlays)
    const actions = [...made.actions]
    for (const overlay of overlays)
      for (const action of actions.splice(0, overlay.actions.length)) {
        const unmatched = unmatchedFinding(action, overlay)
        if (unmatched !== null) findings.push(unmatched)
      }
    return { ...as(null), document: made.document, findings }
  } catch (error) {
    if (!(error instanceof SvcError) || error.code !== 'overlay-failed') throw error
    findings.push(failedFinding(error, overlays))
    return as(error.message)
  }
}

/** Whether a node of the document of an API is at the same path in its file. */
export function isWrittenThere(document: Document, path: Path): boolean {
  if (!isOverlaid(document)) return true
  const written = document.writtenAt(path)
  return !written.isOverlay && formatPointer(written.path) === formatPointer(path)
}
