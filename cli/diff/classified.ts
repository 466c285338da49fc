/** Comparisons with a stored version: the service makes them, so that a key that may do nothing else is enough. */
import type { Static } from '@sinclair/typebox'
import { diffApi } from '../../src/api/diff.ts'
import type { Call, Endpoint } from '../../src/api/endpoint.ts'
import type { AnyInput } from '../../src/api/wire.ts'
import type { Change, ChangeSide } from '../../src/diff/change.ts'
import type { Witness } from '../../src/diff/change.ts'
import { documentVersionOf } from '../../src/diff/next-version.ts'
import type { DiffResult } from '../../src/diff/options.ts'
import { anchorsIn, inFiles } from '../../src/diff/places.ts'
import type { ScopeSummary } from '../../src/diff/scope.ts'
import { tallyOf } from '../../src/diff/tally.ts'
import { readChanges } from '../../src/diff/written.ts'
import type { Document } from '../../src/document/document.ts'
import { parsePointer } from '../../src/kernel/pointer.ts'
import { serializeJson } from '../../src/document/serialize.ts'
import { inOverlays } from './overlaid.ts'
import { isBundled } from '../../src/import/bundle/written.ts'
import type { ReportConsumer } from '../../src/report/report.ts'
import type { Invocation } from '../declare.ts'
import type { StoredName } from '../input/document-side.ts'
import type { Compared } from './compared.ts'
import type { Settings } from './settings.ts'

type Body = Static<typeof diffApi.classified.body>
type Answer = Static<typeof diffApi.classified.response>

/** The newer side: a stored version, or a document that is sent along. */
export type Head = StoredName | Document

const isDocument = (head: Head): head is Document => 'text' in head

/** What the service takes along as the newer side (UTF-8). */
const mostBytes = 10_000_000

const textOf = (head: Document): string => (isBundled(head) ? serializeJson(head.value) : head.text)

/** Whether the service takes a document as the newer side. */
export const fitsInline = (head: Head): boolean =>
  !isDocument(head) || new TextEncoder().encode(textOf(head)).byteLength <= mostBytes

const rulesOf = ({ profile, mode, asOf, overrides, ignore }: Settings): NonNullable<Body['rules']> => ({
  profile,
  asOf,
  ...(mode === undefined ? {} : { mode }),
  severity: overrides,
  ignore: [...ignore],
})

const scopeOf = ({ scope }: Settings): Pick<Body, 'scope'> =>
  scope === null ? {} : { scope: { paths: [...scope.paths], operations: [...scope.operations], tags: [...scope.tags] } }

// Positions in a document of several files are known here alone.
const located = (change: Change, head: Document): Change => {
  const path = change.head === null ? null : parsePointer(change.head.pointer)
  return path === null ? change : { ...change, head: { ...(change.head as ChangeSide), range: head.locate(path) } }
}

function resultOf(answer: Answer, head: Head): DiffResult {
  const place = (change: unknown): Change =>
    isDocument(head) && isBundled(head) ? located(change as Change, head) : (change as Change)
  const changes = readChanges(answer.changes as readonly Change[]).map(place)
  const result: DiffResult = {
    changes,
    ...tallyOf(changes),
    ignored: (answer.ignored ?? []).map(({ change, reason }) => ({ change: place(change), reason })),
    ...(answer.witness === undefined ? {} : { witness: answer.witness as Witness | null }),
  }
  // Only the newer side was read here.
  return isDocument(head) ? inOverlays(inFiles(result, null, head), null, head) : result
}

const consumersOf = ({ consumers, changes }: Answer): readonly ReportConsumer[] | null =>
  consumers?.consumers.map(({ handle, name, status, reasons, changes: fingerprints }) => ({
    handle,
    name,
    impact: {
      handle,
      status,
      losses: reasons,
      changes: fingerprints.flatMap((it) => {
        const at = changes.findIndex(({ fingerprint }) => fingerprint === it)
        return at === -1 ? [] : [at]
      }),
    },
  })) ?? null

/**
 * Asks the service to compare a stored version with another one, or with a document.
 *
 * @param asked `consumers`: name those of the base's project that are affected; `markdown`: bring the service's markdown as well
 * @throws SvcError what the service answers: `project-not-found`, `version-not-found`, `document-invalid`, `scope-denied` …
 */
export async function askClassified(
  base: StoredName,
  head: Head,
  settings: Settings,
  asked: { readonly consumers: boolean; readonly markdown: boolean },
  { connection }: Pick<Invocation, 'connection'>,
): Promise<Compared> {
  const { call, tenant } = await connection()
  const params = { tenant_slug: await tenant() }
  const body: Body = {
    base,
    head: isDocument(head) ? { inline: textOf(head), name: head.source } : head,
    rules: rulesOf(settings),
    ...scopeOf(settings),
    ...(asked.consumers ? { consumers: true } : {}),
  }
  const answer = await call(diffApi.classified, { params, body })
  const isWhole = !isDocument(head) || !isBundled(head)
  const markdown = asked.markdown && isWhole ? await markdownOf(call, { params, body }) : null
  const result = resultOf(answer, head)
  return {
    base: answer.base.label,
    head: answer.head.label,
    result,
    anchors: isDocument(head) ? anchorsIn(head, result.changes) : new Map(),
    consumers: consumersOf(answer),
    scope: (answer.scope as ScopeSummary | undefined) ?? null,
    versions: {
      base: answer.base.document_version,
      head: isDocument(head) ? documentVersionOf(head) : answer.head.document_version,
    },
    ...(markdown === null ? {} : { markdown }),
  }
}

async function markdownOf(call: Call, input: AnyInput): Promise<string> {
  // The types of a call know the JSON alone; what Accept names is answered as a text.
  const ask = call as unknown as (endpoint: Endpoint, input: AnyInput) => Promise<unknown>
  return String(await ask(diffApi.classified, { ...input, headers: { accept: 'text/markdown' } }))
}
