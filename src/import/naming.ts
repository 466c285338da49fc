import type { Document } from '../document/document.ts'
import { isObject, type Json, type JsonObject, type Path } from '../kernel/json.ts'
import { getPath, getPointer } from '../kernel/pointer.ts'
import type { ImportOptions } from './spec.ts'

/** The extension that keeps which field holds the project's name. */
export const nameFieldKey = 'x-svc-project-name-field'

// Control characters have no place in a name, and databases refuse some of them.
const clean = (value: Json | undefined): string => {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (typeof value !== 'string') return ''
  return value.replaceAll(/\p{Cc}+/gu, ' ').trim()
}

const baseName = (source: string): string => {
  const file =
    source
      .replace(/[?#].*$/, '')
      .split(/[\\/]/)
      .at(-1) ?? ''
  return file.replace(/\.(?:json|ya?ml)$/i, '').replace(/^-$/, '')
}

const readField = (content: JsonObject, field: string): Json | undefined =>
  field.startsWith('/') ? getPointer(content, field) : getPath(content, field.split('.'))

const longestName = 200

/** Whether the field that a caller named for the project's name is there, with a text to use. */
export const hasNameField = (content: JsonObject, field: string): boolean => clean(readField(content, field)) !== ''

/** The project's name: given, else the field that the options or the document name, else the title, else the file's name. */
export const projectName = (document: Document, content: JsonObject, title: string, options: ImportOptions): string => {
  const info = isObject(content.info) ? content.info : {}
  const field = options.projectNameField ?? clean(info[nameFieldKey])
  const named = field === '' ? '' : clean(readField(content, field))
  const name = options.projectName?.trim() || named || title || baseName(document.source) || 'Untitled'
  return name.slice(0, longestName)
}

// A version that YAML reads as a number has lost its zeros: "1.10" is 1.1. The text still has them.
const writtenVersion = (document: Document, path: Path, version: Json | undefined): string => {
  if (typeof version !== 'number') return clean(version)
  const { start, end } = document.locate(path)
  const line = document.text.replace(/^\uFEFF/, '').split('\n', start.line + 1)[start.line] ?? ''
  const written = line.slice(start.character, end.character)
  return start.line === end.line && Number(written) === version ? written : clean(version)
}

/** Title, version and description as the `info` of a document gives them, in one line where they are names. */
export const readInfo = (
  document: Document,
  info: Json | undefined,
  path: Path = ['info'],
): { readonly title: string; readonly version: string; readonly description: string | null } => {
  const map = isObject(info) ? info : {}
  const description = typeof map.description === 'string' ? map.description.replaceAll('\0', '') : ''
  return {
    title: clean(map.title).slice(0, longestName),
    version: writtenVersion(document, [...path, 'version'], map.version).slice(0, 100),
    description: description === '' ? null : description,
  }
}

/** An OpenAPI 3.1.0 document that holds classes only. */
export const classDocument = (
  title: string,
  version: string,
  description: string | null,
  classes: { readonly [name: string]: Json },
): JsonObject => ({
  openapi: '3.1.0',
  info: { title, version, ...(description === null ? {} : { description }) },
  components: { schemas: classes },
})
