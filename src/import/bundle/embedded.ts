import type { Document } from '../../document/document.ts'
import { findReferences, resolveReference, resolveUri, type Documents } from '../../document/reference.ts'
import { visitNodes } from '../../document/references-in-document.ts'
import { resourcesOf } from '../../document/resource.ts'
import type { Path } from '../../kernel/json.ts'
import { folderOf } from '../tree-path.ts'
import { hasScheme } from '../../kernel/text.ts'

/** Whether "$recursiveRef" and "$recursiveAnchor" are keywords of a document: those of draft 2019-09 alone. */
export const usesRecursion = ({ value, text }: Document): boolean =>
  text.includes('$recursive') && resourcesOf(value).document.draft === '2019-09'

/** Whether a document uses references whose target depends on the way to them (JSON Schema 2020-12, core, section 8.2.3.2). */
export const usesDynamicScope = (document: Document): boolean =>
  /\$dynamic(?:Ref|Anchor)/.test(document.text) || usesRecursion(document)

/**
 * Whether some dynamic anchor has a choice of meanings: several places declare its name, or one that is a part of a file, which may
 * be written without that part. Otherwise it means the same in any scope.
 */
function hasChoice(entry: Document, documents: readonly Document[]): boolean {
  const names = new Set<string>()
  let choice = false
  for (const document of documents.filter(usesDynamicScope))
    visitNodes(document.value, (node, path) => {
      const recursive = node.$recursiveAnchor === true && (usesRecursion(entry) || usesRecursion(document))
      for (const name of [node.$dynamicAnchor, recursive ? '' : undefined])
        if (typeof name === 'string') {
          choice ||= names.has(name) || (document !== entry && path.length > 0)
          names.add(name)
        }
    })
  return choice
}

const knowsDynamicScope = ({ format }: Document): boolean =>
  format?.kind === 'openapi'
    ? format.version !== '3.0'
    : format?.kind === 'json-schema' && format.version.startsWith('20')

// The folder that holds all files, so that the URIs do not depend on where that folder is.
const commonFolder = (sources: readonly string[]): string => {
  const folders = sources.map((it) => folderOf(it).split('/'))
  const [first = [], ...rest] = folders
  let length = 0
  while (length < first.length && rest.every((it) => it[length] === first[length])) length++
  return first.slice(0, length).join('/')
}

/** Gives files URIs: the identifier that a file declares, or else one made of its path, at a host that never exists (RFC 2606). */
const addressing = (documents: readonly Document[]): ((document: Document) => string) => {
  const folder = commonFolder(documents.map(({ source }) => source).filter((it) => !hasScheme(it)))
  return (document) => {
    const { base } = resourcesOf(document.value).document
    if (hasScheme(base)) return base
    const { source } = document
    const path = source.slice(folder === '' ? 0 : folder.length).replace(/^\/+/, '')
    const own = hasScheme(source)
      ? source
      : `https://bundle.invalid/${path.split('/').map(encodeURIComponent).join('/')}`
    return base === '' ? own : resolveUri(own, base)
  }
}

/**
 * The files that a bundle must hold as schema resources of their own (JSON Schema 2020-12, core, section 9.3): those that declare or use
 * dynamic anchors, since the meaning of these depends on the resources that a reference came through, and what these files refer to. None
 * where each name is declared once: then it means the same without them.
 *
 * @param documents all documents by the places under which references name them
 * @returns the URI of each such file, absolute; no two have the same
 */
export const embeddedFiles = (
  entry: Document,
  others: readonly Document[],
  documents: Documents,
): ReadonlyMap<Document, string> => {
  const uris = new Map<Document, string>()
  if (!knowsDynamicScope(entry) || !hasChoice(entry, [entry, ...others])) return uris
  // API descriptions are not schemas.
  const isSchema = (it: Document): boolean => it !== entry && (it.format === null || it.format.kind === 'json-schema')
  const found = new Set(others.filter((it) => isSchema(it) && usesDynamicScope(it)))
  for (const document of found)
    for (const { ref, base } of findReferences(document.value)) {
      const target = resolveReference(document, { ref, base }, documents)
      if (typeof target === 'object' && isSchema(target.document)) found.add(target.document)
    }
  const uriOf = addressing([entry, ...others])
  const taken = new Set([uriOf(entry)])
  for (const document of found) {
    const wanted = uriOf(document)
    let uri = wanted
    for (let count = 2; taken.has(uri); count++) uri = `${wanted}?${count}`
    taken.add(uri)
    uris.set(document, uri)
  }
  return uris
}

/** The absolute URI of the document that holds the bundle. */
export const uriOfEntry = (entry: Document, others: readonly Document[]): string =>
  addressing([entry, ...others])(entry)

/** Whether a reference means the same wherever its document is, as long as the identifiers in it are kept. */
export const staysIn = (
  { document, path }: { readonly document: Document; readonly path: Path },
  ref: string,
): boolean => {
  if (ref.startsWith('#')) return true
  const resources = resourcesOf(document.value)
  return resources.resolve(ref, resources.along(path).at(-1)!) !== undefined
}

/**
 * Whether something below an identifier of a document refers to another file: in the bundle that is a place of the whole
 * document, which a pointer below the identifier cannot name.
 */
export const leavesEmbedded = (document: Document): boolean => {
  const { document: whole } = resourcesOf(document.value)
  return findReferences(document.value).some(
    ({ ref, path, base }) => base !== whole.base && !staysIn({ document, path }, ref),
  )
}
