import type { Document } from '../src/document/document.ts'
import { isObject } from '../src/document/json.ts'
import type { Json } from '../src/document/json.ts'
import { parseDocument } from '../src/document/parse.ts'
import { SvcError } from '../src/errors.ts'

/** A text and how to read what stands beside it; `near` is null where nothing does. */
export interface SourceText {
  readonly name: string
  readonly text: string
  readonly near: ((relative: string) => Promise<SourceText>) | null
}

/** The member under which the other files of a document stand in the bundle; no specification knows it. */
export const filesKey = '$files'
const mostFiles = 500

const isOutside = (ref: string): boolean => !ref.startsWith('#') && !/^[a-z][a-z0-9+.-]*:/i.test(ref)

const pointerStep = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('%', '%25')

/** Joins a relative reference to the name of the file that holds it. */
const join = (from: string, to: string): string => {
  const steps = from.split('/').slice(0, -1)
  for (const step of to.split('/')) {
    if (step === '..' && steps.length > 0 && steps.at(-1) !== '..') steps.pop()
    else if (step !== '.' && step !== '') steps.push(step)
  }
  return steps.join('/')
}

/**
 * Makes one document of many: files that relative references name are read and stand under `$files`, and every reference
 * points there. Positions stay those of the first file. A document without such references is answered as it is.
 * @throws SvcError `document-invalid` where a named file cannot be read.
 */
export const bundle = async (document: Document, source: SourceText): Promise<Document> => {
  const files: Record<string, Json> = {}
  const waiting: { name: string; source: SourceText }[] = []
  const known = new Set<string>()
  const load = async (name: string, relative: string, from: SourceText): Promise<void> => {
    if (known.has(name)) return
    known.add(name)
    if (known.size > mostFiles)
      throw new SvcError('document-invalid', { reason: `${source.name} refers to more than ${mostFiles} files` })
    if (!from.near)
      throw new SvcError('document-invalid', {
        reason: `${source.name} refers to ${relative}, which is not stored with it`,
      })
    waiting.push({ name, source: await from.near(relative) })
  }
  const point = async (ref: string, at: string, from: SourceText): Promise<string> => {
    const [file = '', fragment = ''] = ref.split('#', 2)
    if (!isOutside(ref)) return at !== '' && ref.startsWith('#') ? `#/${filesKey}/${pointerStep(at)}${fragment}` : ref
    const name = join(at, decodeURI(file))
    await load(name, decodeURI(file), from)
    return `#/${filesKey}/${pointerStep(name)}${fragment}`
  }
  const rewrite = async (value: Json, at: string, from: SourceText, parent = ''): Promise<Json> => {
    if (Array.isArray(value)) {
      const list: Json[] = []
      for (const it of value as readonly Json[]) list.push(await rewrite(it, at, from))
      return list
    }
    if (!isObject(value)) return value
    const result: Record<string, Json> = {}
    for (const [key, it] of Object.entries(value)) {
      // The mapping of a discriminator holds references too; plain names of schemas are none.
      const refers = key === '$ref' || (parent === 'mapping' && typeof it === 'string' && /[#/.]/.test(it))
      if (refers && typeof it === 'string') result[key] = await point(it, at, from)
      else result[key] = await rewrite(it, at, from, parent === 'discriminator' && key === 'mapping' ? 'mapping' : key)
    }
    return result
  }
  if (!hasOutside(document.value)) return document
  const root = await rewrite(document.value, '', source)
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const part = parseDocument(next.source.text, { source: next.source.name })
    files[next.name] = await rewrite(part.value, next.name, next.source)
  }
  const sorted = Object.fromEntries(Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1)))
  const value = isObject(root) ? { ...root, [filesKey]: sorted } : root
  return {
    ...document,
    value,
    locate: (path, options) => document.locate(path[0] === filesKey ? [] : path, options),
    keysInOrder: (path) => document.keysInOrder(path),
  }
}

const hasOutside = (value: Json): boolean => {
  if (Array.isArray(value)) return (value as readonly Json[]).some(hasOutside)
  if (!isObject(value)) return false
  return Object.entries(value).some(([key, it]) =>
    key === '$ref' && typeof it === 'string' ? isOutside(it) : hasOutside(it),
  )
}
