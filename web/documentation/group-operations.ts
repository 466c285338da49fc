import { type Listed, listOperations } from '../src/parts/openapi-document.ts'

/** So many operations are a table of contents that can be shown whole. */
export const mostShown = 60
const groupSize = 100

const hasTag = ({ operation }: Listed): boolean => Array.isArray(operation['tags']) && operation['tags'].length > 0

/**
 * An OpenAPI document whose operations without a tag are in groups of 100, where they are many. The renderer draws
 * operations without a tag all at once, which takes it minutes for thousands on a slow machine; groups it draws closed.
 *
 * @returns the document, and whether groups were added; where none were it is the given one
 */
export function groupUntagged(content: Record<string, unknown>): {
  readonly content: Record<string, unknown>
  readonly isGrouped: boolean
} {
  const untagged = listOperations(content).filter((it) => !hasTag(it))
  if (untagged.length <= mostShown) return { content, isGrouped: false }
  const paths = { ...(content['paths'] as Record<string, Record<string, unknown>>) }
  const names: string[] = []
  for (let start = 0; start < untagged.length; start += groupSize) {
    const group = untagged.slice(start, start + groupSize)
    const name = `Operations ${start + 1}–${start + group.length}`
    names.push(name)
    for (const { method, path, operation } of group)
      paths[path] = { ...paths[path], [method.toLowerCase()]: { ...operation, tags: [name] } }
  }
  const declared = Array.isArray(content['tags']) ? (content['tags'] as unknown[]) : []
  return { content: { ...content, paths, tags: [...declared, ...names.map((name) => ({ name }))] }, isGrouped: true }
}
