/** Which files of a folder or an archive are compared: those that describe an API or are a JSON Schema. */
import { isDescription } from '../../../src/diff/comparable.ts'
import type { Document } from '../../../src/document/document.ts'
import { parseDocument } from '../../../src/document/parse.ts'
import { looksLikeDescription } from '../../../src/document/text.ts'
import { SvcError } from '../../../src/errors.ts'
import { findLinks } from '../../../src/document/links.ts'
import { referenceNames } from '../../../src/document/reference-names.ts'
import { isDescriptionName, isDocumentName } from '../../../src/import/tree-path.ts'
import type { SourceText } from '../../input/document-source.ts'
import type { ComparedTree } from './tree.ts'

/** The files of a side, by what they are. */
export interface Contents {
  /** API descriptions, and JSON Schemas that name their dialect: each is compared. */
  readonly documents: ReadonlySet<string>
  /** JSON Schemas that only their keywords show: each is compared unless another file refers to it. */
  readonly fragments: ReadonlySet<string>
  /** Files that others refer to: they are compared as parts of these. */
  readonly referred: ReadonlySet<string>
}

const faultOf = ({ value, problems }: Document): Document['problems'][number] | undefined =>
  value === null ? problems.find((it) => it.severity === 'error') : undefined

function assertParsed(document: Document, source: SourceText): void {
  const fault = faultOf(document)
  if (fault === undefined || !(looksLikeDescription(source.text) || isDescriptionName(source.place))) return
  const { line, character } = fault.range.start
  throw new SvcError('document-invalid', {
    reason: `${source.name}:${line + 1}:${character + 1}: ${fault.message.replace(/\.$/, '')}`,
  })
}

const targetsOf = (document: Document, path: string): string[] =>
  findLinks({ ...document, source: path })
    .flatMap(({ ref }) => referenceNames(path, ref).map(({ name }) => name))
    .filter((name) => name !== path)

/**
 * Reads every JSON and YAML file of a side.
 * @throws SvcError `document-invalid` for one that looks like an API description and cannot be read
 */
export async function contentsOf(tree: ComparedTree): Promise<Contents> {
  const documents = new Set<string>()
  const fragments = new Set<string>()
  const referred = new Set<string>()
  for (const path of tree.paths.filter(isDocumentName)) {
    const source = await tree.read(path)
    const document = parseDocument(source.text, { source: source.place })
    assertParsed(document, source)
    if (document.format !== null) documents.add(path)
    else if (document.value !== null && isDescription(document)) fragments.add(path)
    for (const target of targetsOf(document, path)) referred.add(target)
  }
  return { documents, fragments, referred }
}
