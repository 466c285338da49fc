/** What svc finds with 32 rulesets in 10 documents is what Spectral finds; each line that differs has a reason of docs/spectral.md. */
import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { agreementRoot, digestOfLines, ourLines, type Recorded, rulesets } from './pairs.ts'
import recorded from './recorded.json' with { type: 'json' }

const results = recorded.results as unknown as Readonly<Record<string, Readonly<Record<string, Recorded>>>>
const documents = readdirSync(join(agreementRoot, 'documents')).toSorted()

/** The reasons for which a line may differ, as docs/spectral.md explains them. */
const reasons: readonly { readonly why: string; readonly lines: RegExp }[] = [
  { why: 'rules about structure name the place more exactly', lines: /^\d oas[23]-schema / },
  {
    why: 'the validator of Spectral refuses schemas with repeated values',
    lines: /^\d oas[23]-valid-(?:media|schema)-example /,
  },
  { why: 'rules of Arazzo name the place and have their own words', lines: /^\d arazzo-/ },
  { why: 'aliases of YAML have a place', lines: /\["paths","\/copy".* (?:0:0-0:0|15:8-15:14) / },
  {
    why: 'references that lead back are followed once',
    lines: /\["components","schemas","(?:Node|Leaf|Person|Room)"|"friend"|"left"/,
  },
  {
    why: 'one rule says one thing once of a component',
    lines: /^\d \w+ \["components","(?:responses|schemas)","\w+"\] .*\.title" property/,
  },
]

test('every ruleset is recorded with every document, by a version 6.16 of Spectral', () => {
  expect(recorded.spectral).toStartWith('6.16.')
  expect(Object.keys(results)).toEqual(Object.keys(rulesets))
  for (const pairs of Object.values(results)) expect(Object.keys(pairs)).toEqual(documents)
})

test.each(Object.keys(rulesets))('%s: the same code, path, severity, message and range', async (name) => {
  for (const document of documents) {
    const known = results[name]?.[document]
    const ours = await ourLines(name, document)
    if (known === 'Spectral fails') continue
    if (typeof known === 'string')
      expect([document, `${ours.length} ${digestOfLines(ours)}`, ours]).toEqual([document, known, ours])
    else if (known !== undefined) {
      const { spectral, svc, same } = known
      expect([document, ours.length]).toEqual([document, same - spectral.length + svc.length])
      for (const line of svc) expect(ours).toContain(line)
      expect([...spectral, ...svc].filter((line) => !reasons.some(({ lines }) => lines.test(line)))).toEqual([])
    }
  }
})
