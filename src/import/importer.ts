import { familySentence } from '../document/family.ts'
import type { Document, Problem } from '../document/document.ts'
import { isObject } from '../kernel/json.ts'
import { importFormats, type ImportFormatId } from './formats.gen.ts'
import { replacedLazily } from './lazily.ts'
import type { RenderSource } from './render-source.ts'
import { hasNameField } from './naming.ts'
import type { ImportedSpec, ImportFormat, ImportOptions } from './spec.ts'

export type { ImportedSpec, ImportFormat, ImportOptions, Operation } from './spec.ts'
export type { ImportFormatId } from './formats.gen.ts'

/** The result of reading a document: a spec, or the reason why there is none. */
export type ImportResult =
  | { readonly spec: ImportedSpec }
  | {
      readonly spec: null
      /** The error code that says it: the text cannot be read, it is of no known format, or not of the one that was asked for. */
      readonly refusal: 'document-invalid' | 'format-unknown'
      readonly reason: string
      /** What the document is instead, where that is known: "it is AsyncAPI 3.0.0: …". */
      readonly family: string | null
      readonly problems: readonly Problem[]
    }

/** The object that an import reads: a list of MCP tools may come without its envelope. */
const contentOf = ({ value, format }: Document) =>
  Array.isArray(value) && format?.kind === 'mcp' ? { tools: value } : value

/** What a document that was imported before is rendered from; null if its root is not an object or no format reads it. */
export const readForRendering = (document: Document, formatId: string): RenderSource | null => {
  const content = contentOf(document)
  const format = findImportFormat(formatId)
  return format === null || !isObject(content) ? null : format.read(document, content, {})
}

/** Every import format, in the order of their ids. */
export const listImportFormats = (): readonly ImportFormat[] => Object.values(importFormats)

/** Whether a text is what web servers answer where a document was expected. */
export const isHtmlPage = (text: string): boolean => /^\s*<(?:!doctype\s+html|html)\b/i.test(text.slice(0, 1000))

const isFormatId = (id: string): id is ImportFormatId => Object.hasOwn(importFormats, id)

/** Why a document is not imported whose format is not known, where its family is not known either. */
const unknownFormat = 'its format is not recognized'

/** The format of an id, or null. */
export const findImportFormat = (id: string): ImportFormat | null => (isFormatId(id) ? importFormats[id] : null)

/** The format that is surest of a document, or null where none knows it. */
export const detectImportFormat = (document: Document): ImportFormat | null => {
  let best: ImportFormat | null = null
  let most = 0
  for (const format of listImportFormats()) {
    const confidence = format.detect(document)
    if (confidence > most) {
      best = format
      most = confidence
    }
  }
  return best
}

/**
 * Reads a parsed document by a format's id, or by "auto" with the format that recognises it. Violations of its
 * specification do not fail the import: they are in the spec's `problems`, after problems of the text (repeated keys …).
 */
export const importDocument = (document: Document, formatId: string, options: ImportOptions = {}): ImportResult => {
  const [fatal] = document.problems.filter((problem) => problem.severity === 'error')
  const content = contentOf(document)
  if (!isObject(content)) {
    const page = isHtmlPage(document.text) ? 'it is an HTML page, perhaps a sign-in page' : null
    const family = familySentence(document)
    const reason = page ?? family ?? fatal?.message ?? 'the root of the document is not an object'
    return {
      spec: null,
      refusal: 'document-invalid',
      reason: reason.replace(/\.$/, ''),
      family,
      problems: document.problems,
    }
  }
  const format = formatId === 'auto' ? detectImportFormat(document) : findImportFormat(formatId)
  if (format === null) {
    const family = familySentence(document)
    return {
      spec: null,
      refusal: 'format-unknown',
      reason: formatId === 'auto' ? (family ?? unknownFormat) : `unknown import format "${formatId}"`,
      family,
      problems: document.problems,
    }
  }
  if (formatId !== 'auto' && format.detect(document) === 0) {
    const other = detectImportFormat(document)
    const hint = other === null ? '' : `; it looks like ${other.id}`
    return {
      spec: null,
      refusal: 'document-invalid',
      reason: `the document does not have the format "${format.id}"${hint}`,
      family: null,
      problems: document.problems,
    }
  }
  const { projectNameField: field, projectName } = options
  // What a caller names is not replaced by something else: the version would be stored in another project.
  if (field !== undefined && !projectName?.trim() && !hasNameField(content, field))
    return {
      spec: null,
      refusal: 'document-invalid',
      reason: `the document has no field "${field}", which was given as the project name field`,
      family: null,
      problems: document.problems,
    }
  const spec = format.read(document, content, options)
  const texts = document.problems
  return {
    spec: replacedLazily(spec, {
      problems: () => [...texts.filter((problem) => problem.severity === 'error'), ...spec.problems],
      warnings: () => [...texts.filter((problem) => problem.severity === 'warning'), ...spec.warnings],
    }),
  }
}
