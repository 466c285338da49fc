/** What svc finds with published rulesets in published documents is what Spectral finds; docs/spectral.md explains each line that differs. */
import { expect, test } from 'bun:test'
import { digestOfLines, type Recorded } from './pairs.ts'
import { publicDocuments, publicLines, publicRulesets } from './public.ts'
import recorded from './recorded-public.json' with { type: 'json' }

const results = recorded.results as unknown as Readonly<Record<string, Readonly<Record<string, Recorded>>>>

interface Parts {
  readonly rule: string
  readonly path: readonly string[]
  readonly message: string
}

const partsOf = (line: string): Parts => {
  const [, rule = '', path = '[]', message = ''] = /^(\d \S+) (\[.*\]) \d+:\d+-\d+:\d+(.*)$/.exec(line) ?? []
  return { rule, path: JSON.parse(path) as string[], message }
}

// Below a reference, Spectral loses what follows a name with a character that addresses escape, as the plus of application/problem+json.
const isEscaped = (name: string | undefined): boolean =>
  name !== undefined && encodeURIComponent(name.replaceAll('/', '')) !== name.replaceAll('/', '')

const isCutShort = (theirs: Parts, ours: Parts): boolean =>
  theirs.rule === ours.rule &&
  theirs.message === ours.message &&
  theirs.path.every((step, at) => step === ours.path[at]) &&
  isEscaped(ours.path[theirs.path.length])

test('every published ruleset is recorded with every document, by a version 6.16 of Spectral', () => {
  expect(recorded.spectral).toStartWith('6.16.')
  expect(Object.keys(results)).toEqual(publicRulesets)
  for (const pairs of Object.values(results)) expect(Object.keys(pairs)).toEqual(Object.keys(publicDocuments))
})

test('Spectral itself fails with one pair only', () => {
  const failed = Object.entries(results).flatMap(([ruleset, pairs]) =>
    Object.keys(pairs).flatMap((document) => (pairs[document] === 'Spectral fails' ? [`${ruleset} ${document}`] : [])),
  )
  expect(failed).toEqual(['ibm-1.33.yaml 3.0/json/link-example.json'])
})

test.each(publicRulesets)('%s: the same code, path, severity, message and range', async (ruleset) => {
  for (const [document, ours] of await publicLines(ruleset)) {
    const known = results[ruleset]?.[document]
    if (known === 'Spectral fails') continue
    if (typeof known === 'string')
      expect([document, `${ours.length} ${digestOfLines(ours)}`, ours]).toEqual([document, known, ours])
    else if (known !== undefined) {
      const { spectral, svc, same } = known
      const [theirs, own, all] = [spectral, svc, ours].map((lines) => lines.map(partsOf))
      expect([document, ours.length]).toEqual([document, same - spectral.length + svc.length])
      for (const line of svc) expect(ours).toContain(line)
      expect(theirs?.filter((one) => all?.some((it) => isCutShort(one, it)) !== true)).toEqual([])
      expect(own?.filter((one) => theirs?.some((it) => isCutShort(it, one)) !== true)).toEqual([])
    }
  }
})
