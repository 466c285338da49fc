/** Long texts in Markdown are cut between blocks, and nothing of them is lost. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { markdownPieces } from '../../web/src/parts/markdown.tsx'

const block = fc.constantFrom(
  '# Title\n\n',
  '- One change of `GET /pets`.\n',
  '  More of the item.\n\n',
  '```json\n# not a title\n- not an item\n```\n\n',
  `A paragraph. ${'Words and words. '.repeat(200)}\n\n`,
  '1. First\n2. Second\n\n',
  '> quoted\n\n',
)

/** The blocks of a text as they are read, lists by their items: a cut between two items makes two lists of them. */
const blocksOf = (text: string): readonly string[] =>
  fromMarkdown(text).children.flatMap((it) =>
    it.type === 'list'
      ? it.children.map((item) => `item: ${JSON.stringify(item, leave)}`)
      : [JSON.stringify(it, leave)],
  )
const leave = (name: string, value: unknown): unknown => (name === 'position' || name === 'spread' ? undefined : value)

test('any text: the pieces are the text, and are read as the text is', () => {
  fc.assert(
    fc.property(fc.array(block, { maxLength: 60 }), (blocks) => {
      const text = blocks.join('')
      const pieces = markdownPieces(text)
      expect(pieces.join('')).toBe(text)
      expect(pieces.flatMap(blocksOf)).toEqual(blocksOf(text) as string[])
    }),
    { numRuns: 50 },
  )
})

test('a report of megabytes is many small pieces', () => {
  const text = '- A change of `GET /pets` described in several words.\n'.repeat(40_000)
  const pieces = markdownPieces(text)
  expect(pieces.length).toBe(Math.ceil(text.length / 16_100))
  expect(Math.max(...pieces.map((it) => it.length))).toBeLessThan(16_200)
})
