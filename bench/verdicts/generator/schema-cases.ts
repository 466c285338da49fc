/** JSON Schema alone: every keyword of 2020-12, those of earlier drafts, and keywords that a draft does not have. */
import type { Json, JsonObject, MadeCase } from '../case.ts'
import { kebab, samples } from './keyword-atoms.ts'
import { choiceKeywords, oldKeywords, sharedKeywords, type MakeNarrowing, type Narrowing } from './narrowings.ts'
import { newKeywords } from './new-narrowings.ts'
import { Random } from './random.ts'
import { placed, withDefinitionsAt } from './schemas.ts'

const addresses = {
  '04': 'http://json-schema.org/draft-04/schema#',
  '06': 'http://json-schema.org/draft-06/schema#',
  '07': 'http://json-schema.org/draft-07/schema#',
  '2019-09': 'https://json-schema.org/draft/2019-09/schema',
  '2020-12': 'https://json-schema.org/draft/2020-12/schema',
} as const
type Draft = keyof typeof addresses

const of = (...names: string[]): Record<string, MakeNarrowing> =>
  Object.fromEntries(Object.entries(newKeywords).filter(([name]) => names.includes(name)))

/** Keywords that 2020-12 replaced. */
const formerKeywords: Readonly<Record<string, MakeNarrowing>> = {
  dependencies: (random) => {
    const [one = '', two = ''] = random.names(2)
    return {
      wide: { type: 'object' },
      narrow: { type: 'object', dependencies: { [one]: random.pick<Json>([[two], { required: [two] }]) } },
      witness: { [one]: 1 },
      reason:
        'The keyword asks for more where a property is present; without it nothing is asked for (draft-07, dependencies).',
    }
  },
  additionalItems: (random) => ({
    wide: { type: 'array', items: [{ type: 'string' }] },
    narrow: {
      type: 'array',
      items: [{ type: 'string' }],
      additionalItems: random.pick<Json>([false, { type: 'integer' }]),
    },
    witness: ['x', 'y'],
    reason:
      'The keyword holds for the items after those of a list in items; without it they are free (draft-07, additionalItems).',
  }),
}

const base = { ...sharedKeywords, ...choiceKeywords }
const six = {
  ...base,
  ...formerKeywords,
  ...of(
    'const',
    'exclusiveMaximum',
    'exclusiveMinimum',
    'contains',
    'patternProperties',
    'propertyNames',
    'boolean-schema',
  ),
}
const keywords: Readonly<Record<Draft, Readonly<Record<string, MakeNarrowing>>>> = {
  '04': { ...base, ...oldKeywords, ...formerKeywords, ...of('type-list', 'patternProperties') },
  '06': six,
  '07': { ...six, ...of('if-then', 'else') },
  '2019-09': {
    ...base,
    additionalItems: formerKeywords['additionalItems'] as MakeNarrowing,
    ...of(
      'const',
      'contains',
      'minContains',
      'maxContains',
      'dependentRequired',
      'dependentSchemas',
      'if-then',
      'else',
    ),
    ...of('unevaluatedProperties', '$anchor', 'ref-siblings', 'propertyNames', 'boolean-schema'),
  },
  '2020-12': { ...base, ...newKeywords },
}

const documentOf = (draft: Draft, schema: Json, defs: JsonObject | undefined): JsonObject => {
  const place = draft === '2019-09' || draft === '2020-12' ? '$defs' : 'definitions'
  const own = typeof schema === 'boolean' ? { allOf: [schema] } : (schema as JsonObject)
  // Until draft-07 a reference has nothing beside it.
  const body = '$ref' in own && place === 'definitions' ? { allOf: [own] } : own
  const made = { $schema: addresses[draft], ...body, ...(defs === undefined ? {} : { [place]: defs }) }
  return withDefinitionsAt(made, `#/${place}/`) as JsonObject
}

function schemaCase(
  id: string,
  draft: Draft,
  way: 'narrowed' | 'widened',
  narrowing: Narrowing,
  source: string,
): MadeCase {
  const wide = documentOf(draft, narrowing.wide, narrowing.wideDefs)
  const narrow = documentOf(draft, narrowing.narrow, narrowing.narrowDefs)
  const isBreaking = way === 'narrowed'
  return {
    id,
    track: 'schema',
    direction: 'schema',
    verdict: isBreaking ? 'breaking' : 'safe',
    certificate: isBreaking
      ? { accepts: 'base', refuses: 'head', value: narrowing.witness }
      : { reason: narrowing.reason, samples },
    source,
    base: isBreaking ? wide : narrow,
    head: isBreaking ? narrow : wide,
  }
}

function keywordCases(seed: string): MadeCase[] {
  return Object.entries(keywords).flatMap(([name, makers]) => {
    const draft = name as Draft
    return Object.entries(makers).flatMap(([keyword, make], at) => {
      const ways =
        draft === '2020-12'
          ? (['narrowed', 'widened'] as const)
          : [at % 2 === 0 ? ('narrowed' as const) : ('widened' as const)]
      return ways.map((way) => {
        const random = new Random(`${seed}/schema/${draft}/${keyword}`)
        const source = `generator, keyword ${keyword} of draft ${draft}, seed ${seed}`
        return schemaCase(`draft-${draft}-${kebab(keyword)}-${way}`, draft, way, placed(random, make(random)), source)
      })
    })
  })
}

/** A keyword that the draft does not have says nothing. */
const unknownKeywords: readonly (readonly [Draft, string, (random: Random) => JsonObject])[] = [
  ['04', 'const', (random) => ({ type: 'string', const: random.values(1)[0] ?? '' })],
  ['04', 'contains', () => ({ type: 'array', contains: { type: 'string' } })],
  ['04', 'propertyNames', (random) => ({ type: 'object', propertyNames: { maxLength: random.int(1, 4) } })],
  ['06', 'if', () => ({ type: 'integer', if: { minimum: 5 }, then: { maximum: 9 } })],
  [
    '07',
    'dependentRequired',
    (random) => ({ type: 'object', dependentRequired: { [random.names(1)[0] ?? '']: ['other'] } }),
  ],
  ['07', 'minContains', () => ({ type: 'array', contains: { type: 'string' }, minContains: 3 })],
  [
    '07',
    'unevaluatedProperties',
    () => ({ type: 'object', properties: { a: { type: 'string' } }, unevaluatedProperties: false }),
  ],
  ['07', 'prefixItems', () => ({ type: 'array', prefixItems: [{ type: 'string' }] })],
  ['2019-09', 'prefixItems', () => ({ type: 'array', prefixItems: [{ type: 'integer' }] })],
  [
    '2020-12',
    'dependencies',
    (random) => ({ type: 'object', dependencies: { [random.names(1)[0] ?? '']: ['other'] } }),
  ],
]

// Keywords of earlier drafts that validators may go on checking.
const openKeywords: ReadonlySet<string> = new Set(['2020-12 dependencies'])

function unknownCases(seed: string): MadeCase[] {
  return unknownKeywords.map(([draft, keyword, make]) => {
    const head = make(new Random(`${seed}/unknown/${draft}/${keyword}`))
    const { [keyword]: _, then: __, ...without } = head
    const isOpen = openKeywords.has(`${draft} ${keyword}`)
    const question = `Does a validator of draft ${draft} still check ${keyword}, which earlier drafts define?`
    return {
      id: `draft-${draft}-without-${kebab(keyword)}`,
      track: 'schema',
      direction: 'schema',
      ...(isOpen ? { verdict: 'policy', question } : { verdict: 'safe' }),
      certificate: isOpen
        ? {
            reason: `Draft ${draft} does not define ${keyword}, and optional tests of the JSON-Schema-Test-Suite (dependencies-compatibility) check it.`,
            samples: 0,
          }
        : {
            reason: `Draft ${draft} does not define ${keyword}, and unknown keywords restrict nothing (core, 4.3.1 of 2020-12; draft-04 5.6).`,
            samples,
          },
      source: `generator, keyword ${keyword} that draft ${draft} does not have, seed ${seed}`,
      base: documentOf(draft, without, undefined),
      head: documentOf(draft, head, undefined),
    }
  })
}

const annotations: readonly JsonObject[] = [
  { title: 'A' },
  { description: 'A thing' },
  { default: 'x' },
  { examples: ['x', 'y'] },
  { $comment: 'for authors' },
  { deprecated: true },
  { readOnly: true },
  { contentMediaType: 'application/json', contentEncoding: 'base64' },
]

function annotationCases(seed: string): MadeCase[] {
  return annotations.map((annotation) => {
    const [name = ''] = Object.keys(annotation)
    const [property = ''] = new Random(`${seed}/annotation/${name}`).names(1)
    const with_ = (more: JsonObject) =>
      documentOf('2020-12', { type: 'object', properties: { [property]: { type: 'string', ...more } } }, undefined)
    return {
      id: `draft-2020-12-annotation-${kebab(name)}`,
      track: 'schema',
      direction: 'schema',
      verdict: 'safe',
      certificate: { reason: 'Annotations restrict no value (2020-12, validation 8 and 9; core 8.3).', samples },
      source: `generator, annotation ${name}, seed ${seed}`,
      base: with_({}),
      head: with_(annotation),
    }
  })
}

/** What neither document says: where a reference leads, and what an unknown vocabulary asks for. */
function undecidableCases(seed: string): MadeCase[] {
  const random = new Random(`${seed}/undecidable`)
  const [property = ''] = random.names(1)
  const common = { track: 'schema', direction: 'schema', verdict: 'undecidable' } as const
  const references = (Object.keys(addresses) as Draft[]).map((draft): MadeCase => {
    const with_ = (name: string) =>
      documentOf(
        draft,
        { type: 'object', properties: { [property]: { $ref: `https://schemas.example.com/${name}.json` } } },
        undefined,
      )
    return {
      ...common,
      id: `draft-${draft}-reference-elsewhere`,
      certificate: {
        reason: 'Both references lead to documents that are not given, so the values of the property are not known.',
        samples: 0,
      },
      source: `generator, references to other documents, seed ${seed}`,
      base: with_('one'),
      head: with_('two'),
    }
  })
  const dialect = (limit: number): JsonObject => ({
    $schema: 'https://schemas.example.com/dialect',
    type: 'string',
    atMostWords: limit,
  })
  return [
    ...references,
    {
      ...common,
      id: 'unknown-dialect',
      certificate: {
        reason: 'The dialect is not given, so what its keyword asks for is not known (core 8.1.1).',
        samples: 0,
      },
      source: `generator, an unknown dialect, seed ${seed}`,
      base: dialect(random.int(5, 9)),
      head: dialect(random.int(2, 4)),
    },
  ]
}

/** The cases of the track. */
export const schemaCases = (seed: string): MadeCase[] => [
  ...keywordCases(seed),
  ...unknownCases(seed),
  ...annotationCases(seed),
  ...undecidableCases(seed),
]
