/** Change reports in every state in which there is little to say, and templates that cannot be used. */
import { expect, test } from 'bun:test'
import { changeModelOf, type ReportFacts } from '../../../src/change-report/model.ts'
import { checkTemplate, renderTemplate, systemTemplate } from '../../../src/change-report/template.ts'
import { diff } from '../../../src/diff/diff.ts'
import { consumersAsMarkdown } from '../../../src/report/changes/consumers.ts'
import { api, documentOf } from '../contracts/documents.ts'

const text = { type: 'string' }
const pet = (properties: object) => documentOf(api({ type: 'object', properties, required: ['id'] }))
const base = pet({ id: text })

const factsOf = (head = base, from: ReportFacts['from'] = { revisionId: '1', label: '1.0.0' }): ReportFacts => {
  const { changes, verdict } = diff(base, head)
  return {
    project: { id: 'p', slug: 'pets', name: 'Pets <Co>' },
    from,
    to: { revisionId: '2', label: '2.0.0' },
    changes: from === null ? [] : changes,
    verdict: from === null ? 'safe' : verdict,
    consumers: [],
  }
}
const written = (facts: ReportFacts): string => {
  const { header, body, footnote } = renderTemplate(systemTemplate, changeModelOf(facts))
  return [header, body, footnote].join('\n--\n')
}

test('a first publication', () => {
  expect(written(factsOf(base, null))).toBe(`# Pets &lt;Co&gt; 2.0.0
--
**First release.** There is no earlier version to compare with.
--
There is no earlier published version.`)
})

test('nothing changed', () => {
  expect(written(factsOf())).toBe(`# Pets &lt;Co&gt; 2.0.0
--
**Nothing changed.** No differences found.
--
Compared with 1.0.0.`)
})

test('only words changed', () => {
  expect(written(factsOf(pet({ id: { ...text, description: 'The id.' } })))).toStartWith(`# Pets &lt;Co&gt; 2.0.0
--
**Only documentation changed.** Descriptions and other texts differ; the interface is the same.

## Documentation

### POST /things

- `)
})

test('changed, and safe', () => {
  expect(written(factsOf(pet({ id: text, name: text })))).toStartWith(`# Pets &lt;Co&gt; 2.0.0
--
**1 change, none of them breaking.** The change is backward compatible.

## Compatible changes

### POST /things

- `)
})

test('changes are grouped by operation, and equal ones are counted', () => {
  const facts = factsOf(pet({}))
  const [first] = facts.changes
  const at = (operation: string, pointer: string, message = 'M') => ({
    ...first!,
    message,
    operations: [operation],
    base: null,
    head: { pointer, range: null },
  })
  const changes = [
    at('GET /a', '/x'),
    at('GET /b', '/x'),
    at('GET /c', '/x'),
    at('GET /d', '/y'),
    at('GET /d', '/z', 'N'),
  ]
  const { breaking, omitted, counts } = changeModelOf({ ...facts, changes })
  expect(breaking.map(({ heading, operation, repeats }) => [heading, operation, repeats])).toEqual([
    ['GET /a, GET /b and 2 more operations', 'GET /a, GET /b and 2 more operations', '4 changes'],
    ['GET /d', 'GET /d', ''],
  ])
  expect([omitted, counts.total]).toEqual([0, 5])
})

test('the section on consumers: nobody declared anything, all keep what they use, one breaks, one is undecided', () => {
  const consumer = (handle: string, status: 'broken' | 'unknown' | 'unaffected') => ({
    handle,
    name: handle.toUpperCase(),
    status,
    losses: [],
    changes: [],
  })
  expect(consumersAsMarkdown([], [])).toBe('### Consumers\n\nNo consumer of this project has declared a contract.\n')
  expect(consumersAsMarkdown([consumer('a', 'unaffected')], [])).toBe(
    '### Consumers\n\nThe only consumer is not affected.\n',
  )
  expect(consumersAsMarkdown([consumer('a', 'unaffected'), consumer('b', 'unaffected')], [])).toBe(
    '### Consumers\n\nNone of the 2 consumers is affected.\n',
  )
  expect(consumersAsMarkdown([consumer('a', 'broken'), consumer('b', 'unknown'), consumer('c', 'unaffected')], []))
    .toBe(`### Consumers

1 of 3 consumers would break, 1 could not be decided.

#### Would break

- **A** \`a\`

#### Could not be decided

- **B** \`b\`

Not affected: \`c\`.
`)
})

test('the system template can be used; other templates are refused with what is wrong, and where', () => {
  expect(checkTemplate(systemTemplate)).toEqual([])
  const problems = checkTemplate({
    header: '{{nope}}',
    body: 'a\n{{#breaking}}\n{{messag}}\n{{/breaking}}\n{{breaking}}{{#from}}',
    footnote: '{{/to}} {{project}} {{^from}}{{to.label}}{{/from}}',
  })
  expect(problems.map(({ part, line, field }) => [part, line, field])).toEqual([
    ['header', 1, 'nope'],
    ['body', 3, 'messag'],
    ['body', 5, 'breaking'],
    ['body', 5, 'from'],
    ['footnote', 1, 'to'],
    ['footnote', 1, 'project'],
  ])
})
