import { isObject, type Json, type JsonObject, type Path } from '../../kernel/json.ts'
import { formatPointer } from '../../kernel/pointer.ts'
import { findReferences, findUnresolved, resolveReference } from '../../document/reference.ts'
import { edit } from '../../document/validate/rebuild.ts'
import { validateStructure } from '../../document/validate/structure.ts'
import { componentNames } from '../convert/component-names.ts'
import { embedSchema, upgradePath } from '../convert/json-schema.ts'
import { classDocument, projectName, readInfo } from '../naming.ts'
import { Notes } from '../notes.ts'
import { lazily } from '../lazily.ts'
import type { ImportFormat } from '../spec.ts'

const definitionWords = ['$defs', 'definitions'] as const

/** What the root of a schema may have without describing a class of its own. */
export const bareKeywords: ReadonlySet<string> = new Set([
  '$schema',
  '$id',
  'id',
  '$defs',
  'definitions',
  'title',
  'description',
  '$comment',
  '$vocabulary',
  'version',
])

const rootName = (content: JsonObject, source: string): string => {
  const named = typeof content.title === 'string' && content.title.trim() !== '' ? content.title : null
  const id = typeof content.$id === 'string' ? content.$id : typeof content.id === 'string' ? content.id : source
  const last =
    id
      .replace(/[?#].*$/, '')
      .replace(/\/+$/, '')
      .split('/')
      .at(-1) ?? ''
  const words = (named ?? last.replace(/(?:\.schema)?\.(?:json|ya?ml)$/i, '')).split(/[^A-Za-z0-9]+/).filter(Boolean)
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('') || 'Root'
}

const jsonSchema: ImportFormat = {
  id: 'json-schema',
  summary: 'JSON Schema documents, draft 4 to 2020-12; every definition becomes a schema',
  detect: (document) => (document.format?.kind === 'json-schema' ? 1 : 0),
  read: (document, content, options) => {
    const format = document.format ?? { kind: 'json-schema', version: '2020-12' }
    const notes = new Notes(document)
    const definitions = definitionWords.flatMap((word) =>
      isObject(content[word]) ? Object.keys(content[word]).map((name) => ({ word, name })) : [],
    )
    const hasRoot = Object.keys(content).some((key) => !bareKeywords.has(key)) || definitions.length === 0
    const safe = componentNames([...new Set(definitions.map(({ name }) => name))])
    const taken = new Set(safe.values())
    let root = rootName(content, document.source)
    while (taken.has(root)) root += 'Root'
    const place = (path: Path): Path => {
      const [word, name, ...rest] = path
      if ((word === '$defs' || word === 'definitions') && name !== undefined)
        return ['components', 'schemas', safe.get(String(name)) ?? String(name), ...upgradePath(rest)]
      return ['components', 'schemas', root, ...upgradePath(path)]
    }
    const bases = new Map(findReferences(content).map((one) => [formatPointer(one.path), one.base]))
    const move = (ref: string, path: Path): Path | null => {
      const target = resolveReference(document, { ref, base: bases.get(formatPointer(path)) ?? '' }, options.documents)
      return typeof target === 'object' && target.document === document ? place(target.path) : null
    }
    const whole = embedSchema(content, move, notes, format.version)
    const classes: [string, Json][] = definitions.map(({ word, name }) => [
      safe.get(name) ?? name,
      isObject(whole[word]) ? (whole[word][name] as Json) : {},
    ])
    if (hasRoot) classes.unshift([root, edit(whole, ['$defs', 'definitions', '$vocabulary'])])
    const info = readInfo(document, content, [])
    const version = options.version ?? (info.version || '1.0.0')
    const name = projectName(document, content, info.title, options)
    const schemas = Object.fromEntries(classes)
    const ready = {
      format,
      name,
      version,
      title: info.title || name,
      description: info.description,
      content,
      openapi: classDocument(info.title || name, version, info.description, schemas),
      arazzo: null,
      classes: schemas,
      operations: [],
    }
    return lazily(ready, {
      problems: () => validateStructure(document),
      unresolved: () => findUnresolved(document, options.documents),
      warnings: () => notes.warnings,
    })
  },
}

export default jsonSchema
