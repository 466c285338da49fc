import { isObject, type Json } from '../../kernel/json.ts'
import type { LintFunction } from '../rule.ts'

/** No two tags have the same name. */
const uniqueTags: LintFunction = (input, _options, { path, deref }) => {
  if (!Array.isArray(input)) return []
  const names = (input as readonly Json[]).map((it) => {
    const tag = deref(it)
    return isObject(tag) ? tag.name : undefined
  })
  // A list with something else in it is malformed: that is for the structure of the document to say.
  if (!names.every((it) => typeof it === 'string')) return []
  const seen = new Set<string>()
  return names.flatMap((name, index) => {
    const isNew = !seen.has(name)
    seen.add(name)
    return isNew
      ? []
      : [{ message: `"tags" object contains duplicate tag name "${name}".`, path: [...path, index, 'name'] }]
  })
}
export default uniqueTags
