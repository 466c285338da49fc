/** The words of a reference, and where each is: what the page searches in. */
import { type Member, type NamedSchema, type OperationEntry, type SchemaView, shardOf, wordsOf } from '../api/reader.ts'

/** So many places of one word are kept: a word that is everywhere finds nothing. */
const mostPlaces = 2000

type Text = readonly [text: string, weight: 1 | 2 | 3]

/** Descriptions are HTML here; tags and entities are left out. */
const plain = (html: string): string => html.replaceAll(/<[^>]*>|&[a-z#0-9]+;/gi, ' ')

function* membersOf(members: readonly Member[]): Generator<Text> {
  for (const { name, view } of members) {
    yield [name, 2]
    yield* viewTexts(view)
  }
}

function* viewTexts(view: SchemaView | null): Generator<Text> {
  if (view === null) return
  yield [plain(view.description), 1]
  for (const it of view.type) if (typeof it !== 'string') yield [it.schema, 1]
  yield* membersOf(view.members)
}

function* operationTexts(entry: OperationEntry, tag: string): Generator<Text> {
  yield [`${entry.method} ${entry.path} ${entry.operationId} ${entry.summary}`, 3]
  yield [`${tag} ${plain(entry.description)}`, 2]
  for (const { name, description, view } of entry.parameters) {
    yield [name, 2]
    yield [plain(description), 1]
    yield* viewTexts(view)
  }
  for (const { view } of entry.body?.media ?? []) yield* viewTexts(view)
  for (const { status, description, media } of entry.responses) {
    yield [`${status} ${plain(description)}`, 1]
    for (const { view } of media) yield* viewTexts(view)
  }
  for (const { name, operation } of entry.callbacks) yield [`${name} ${operation.summary}`, 1]
}

function* schemaTexts({ name, view }: NamedSchema): Generator<Text> {
  yield [name, 3]
  yield [plain(view.description), 2]
  yield* membersOf(view.members)
}

/**
 * The parts "words-p" by their names.
 * @param operations in the order of their parts, each with its group
 */
export function wordParts(
  operations: readonly { readonly entry: OperationEntry; readonly group: string }[],
  schemas: readonly NamedSchema[],
): Map<string, Record<string, number[]>> {
  const parts = new Map<string, Map<string, number[]>>()
  const add = (id: number, texts: Iterable<Text>): void => {
    const weights = new Map<string, number>()
    for (const [text, weight] of texts)
      for (const word of wordsOf(text)) weights.set(word, Math.max(weight, weights.get(word) ?? 0))
    for (const [word, weight] of weights) {
      const name = shardOf(word)
      const part = parts.get(name) ?? new Map<string, number[]>()
      parts.set(name, part)
      const places = part.get(word) ?? []
      part.set(word, places)
      if (places.length < mostPlaces) places.push(4 * id + weight)
    }
  }
  for (const [index, { entry, group }] of operations.entries()) add(index, operationTexts(entry, group))
  for (const [index, schema] of schemas.entries()) add(operations.length + index, schemaTexts(schema))
  return new Map([...parts].map(([name, words]) => [name, Object.fromEntries(words)]))
}
