import { expect, test } from 'bun:test'
import { groupUntagged } from '../../web/documentation/group-operations.ts'

const documentOf = (count: number, tags?: readonly string[]) => ({
  openapi: '3.1.0',
  tags: [{ name: 'pets' }],
  paths: Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`/r${at}`, { summary: 'r', get: tags ? { tags } : {} }]),
  ),
})

test('few operations, and those with tags, stay as they are', () => {
  for (const one of [documentOf(60), documentOf(200, ['pets']), { openapi: '3.1.0' }])
    expect(groupUntagged(one)).toEqual({ content: one, isGrouped: false })
})

test('many operations without a tag come in groups of 100; the document itself is not changed', () => {
  const given = documentOf(130, [])
  const before = structuredClone(given)
  const { content, isGrouped } = groupUntagged(given)
  expect([isGrouped, given]).toEqual([true, before])
  expect(content['tags']).toEqual([{ name: 'pets' }, { name: 'Operations 1–100' }, { name: 'Operations 101–130' }])
  const paths = content['paths'] as Record<string, { summary: string; get: { tags: string[] } }>
  expect([paths['/r99'], paths['/r100']]).toEqual([
    { summary: 'r', get: { tags: ['Operations 1–100'] } },
    { summary: 'r', get: { tags: ['Operations 101–130'] } },
  ])
})
