/** `buf.yaml` of buf, whose schemas are Protocol Buffers: what it says of folders is what svc can use. */
import { isObject, type Json } from '../../kernel/json.ts'
import { textsOf, type Converted } from './converted.ts'

const foldersIn = (value: Json | undefined): string[] =>
  isObject(value) ? [...textsOf(value.ignore), ...textsOf(value.excludes)] : []

/**
 * Converts a `buf.yaml`: folders that it leaves out and that have documents are ignored.
 * @param documents the documents of the repository, relative to the file
 */
export function convertBuf(value: Json, documents: readonly string[]): Converted {
  const whole = isObject(value) ? value : {}
  const modules = Array.isArray(whole.modules) ? (whole.modules as readonly Json[]) : []
  const folders = [whole.lint, whole.breaking, whole.build, ...modules].flatMap(foldersIn)
  const used = [...new Set(folders)]
    .map((it) => it.replace(/^\.\//, '').replace(/\/$/, ''))
    .filter((folder) => documents.some((it) => it.startsWith(`${folder}/`)))
  const reason = 'it is about Protocol Buffers, which svc does not read'
  return {
    settings: used.length === 0 ? {} : { ignore: used.map((it) => `${it}/**`) },
    apis: {},
    done: used.length === 0 ? [] : ['the folders that it leaves out'],
    left: Object.keys(whole)
      .filter((key) => key !== 'version')
      .map((key) => `${key}: ${reason}`),
  }
}
