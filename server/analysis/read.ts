import type { Beside } from '../../src/mcp-catalogue/beside.ts'
import type { Document, Format } from '../../src/document/document.ts'
import type { Json } from '../../src/kernel/json.ts'
import { factsOfInfo } from '../../src/backstage/info-extensions.ts'
import { formatPointer, getPath } from '../../src/kernel/pointer.ts'
import { importDocument, isHtmlPage, type ImportedSpec } from '../../src/import/importer.ts'
import { lint, type Pace } from '../../src/lint/lint.ts'
import { operationText } from '../../src/spec/words.ts'
import { isOutward } from '../../src/types/outward.ts'
import type { Facts, Verdict } from './analysis.ts'
import type { Applicable } from '../guide-rules/door.ts'
import { makeDocument, type Made } from './material.ts'
import type { Material } from './subject.ts'

/** A text that was read: what style guides are applied to. */
export interface Reading {
  readonly document: Document
  /** What it was made of. */
  readonly made: Made
  /** Null where the document could not be read; the facts say why. */
  readonly spec: ImportedSpec | null
  /** What decides whether it is graded. */
  readonly judged: Judged
  /** Gathered when they are first asked for. */
  readonly facts: Facts
}

/** What a grade depends on beside the findings. */
type Judged = Pick<Facts, 'isReadable' | 'isText' | 'isForeign'>

type Imported = ReturnType<typeof importDocument>

const leadsOut = (value: Json | undefined): boolean => typeof value === 'string' && isOutward(value)

const unknownFormat: Format = { kind: 'json-schema', version: '2020-12' }

/**
 * Imports and validates a text. What is wrong with it is in the facts.
 * @param made what it was parsed as
 * @throws SvcError `source-refused` for a shape that the document cannot have
 */
export function readSubject(material: Material, made: Made = makeDocument(material)): Reading {
  const { source, format: asked, projectNameField } = material
  const { document } = made
  const result = importDocument(document, asked, { projectNameField: projectNameField ?? undefined })
  const { spec } = result
  const isText = !document.problems.some((problem) => problem.severity === 'error')
  const judged = {
    isReadable: spec !== null,
    isText,
    isForeign: spec === null && document.format === null && isText,
  }
  // Who wants findings alone asks for nothing else.
  let found: Facts | null = null
  return {
    document,
    made,
    spec,
    judged,
    get facts() {
      return (found ??= { ...judged, ...factsOf(document, result, source) })
    },
  }
}

function factsOf(document: Document, result: Imported, source: string): Omit<Facts, keyof Judged> {
  const { spec } = result
  const textual = document.problems.filter((problem) => problem.severity === 'error')
  const classNames = Object.keys(spec?.classes ?? {})
  const operations = spec?.operations ?? []
  const format = spec?.format ?? document.format ?? unknownFormat
  const unresolved = spec?.unresolved ?? []
  const outwardRefs = unresolved.filter(({ path }) => leadsOut(getPath(document.value, path))).length
  const unread = isHtmlPage(document.text) ? [] : textual
  const told = result.spec === null ? unread : result.spec.problems
  return {
    syntax: document.syntax,
    format,
    ownFormat: document.format,
    title: spec?.title ?? source,
    description: spec?.description ?? null,
    project: factsOfInfo(document.value),
    operations,
    words: operations.map((it) => operationText(document.value, { ...it, summary: it.summary ?? '' })),
    classNames,
    refusal: result.spec === null && textual.length === 0 ? result.refusal : 'document-invalid',
    family: result.spec === null ? result.family : null,
    problems: told,
    reason: result.spec === null && told.length === 0 ? result.reason : null,
    // What the registry of types has is known where its rows are: see `typesNow`.
    unresolvedRefs: unresolved.length - outwardRefs,
    outwardRefs,
    warnings: (spec?.warnings ?? []).map(({ code, message, path }) => ({
      code,
      message,
      pointer: formatPointer(path),
    })),
    summary: {
      name: spec?.name ?? source,
      version: spec?.version ?? '0.0.0',
      operations: operations.length,
      classes: classNames.length,
      classNames,
      kind: format.kind,
    },
  }
}

/** Applies a guide to what was read, together with the registered types that it refers to. `pace` is called with the progress, and throws to stop it. */
export function judgeReading(
  { document, spec }: Pick<Reading, 'document' | 'spec'>,
  guide: Applicable,
  pace?: Pace,
  types: readonly Document[] = [],
  { beside = null, fixes = false }: { readonly beside?: Beside | null; readonly fixes?: boolean } = {},
): Verdict {
  const { findings, rules, skipped } = lint(document, guide.rulesFor(document.source), {
    guide: guide.options,
    types: Object.fromEntries(types.map((it) => [it.source, it])),
    beside,
    fixes,
    ...(pace === undefined ? {} : { pace }),
  })
  // One list for a reader: what the rules on structure, or the parser, reported already is not reported again.
  const told = new Set(findings.filter((it) => it.code.endsWith('-schema')).map((it) => it.pointer))
  const structural = (spec?.problems ?? []).filter(
    (problem) => !document.problems.includes(problem) && !told.has(formatPointer(problem.path)),
  )
  return { findings, structural, rules, skipped }
}
