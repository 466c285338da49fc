/** What a change report says to people who are not members: no name of a consumer, and nothing false. */
import { expect, test } from 'bun:test'
import type { ChangeModel, ReportedChange } from '../../../src/change-report/model.ts'
import { consumerNames, publicModel, withoutNames } from '../../../src/change-report/public.ts'
import { renderTemplate, systemTemplate } from '../../../src/change-report/template.ts'

const change = (message: string, consumers: string): ReportedChange => ({
  id: 'x',
  severity: 'breaking',
  classification: 'breaking',
  message,
  direction: '',
  operation: 'GET /a',
  heading: '',
  repeats: '',
  operations: 'GET /a',
  consumers,
  example: '',
  undecided: false,
  fingerprint: message,
})
const model: ChangeModel = {
  schemaVersion: 1,
  project: { id: 'p', slug: 'pets', name: 'Pets' },
  from: { revisionId: '1', label: '1' },
  to: { revisionId: '2', label: '2' },
  initialPublication: false,
  headline: 'H',
  conclusion: 'C',
  maxSeverity: 'breaking',
  counts: { breaking: 2, nonBreaking: 0, docsOnly: 1, total: 3 },
  breaking: [change('One', 'app, app-store'), change('Two', '')],
  nonBreaking: [],
  docsOnly: [change('Three', 'quiet')],
  omitted: 0,
  brokenConsumers: [{ handle: 'app', name: 'The <App>', reasons: 'App uses it.' }],
}
const template = {
  header: 'for {{#brokenConsumers}}{{name}} {{handle}}{{/brokenConsumers}}',
  body: '{{#breaking}}{{message}}: {{consumers}}{{^consumers}}nobody{{/consumers}}\n{{/breaking}}{{^brokenConsumers}}Nobody breaks.{{/brokenConsumers}}',
  footnote: '',
}

test('names are found wherever a template can write them, as they are and escaped', () => {
  expect(consumerNames(model)).toEqual(['The &lt;App&gt;', 'app-store', 'The <App>', 'quiet', 'app'])
  expect(consumerNames({ ...model, breaking: [], docsOnly: [], brokenConsumers: [] })).toEqual([])
})

test('templates say that there are consumers, without a name or a number', () => {
  const hidden = publicModel(model)
  expect(renderTemplate(template, hidden)).toEqual({
    header: 'for Registered consumers',
    body: 'One: registered consumers\nTwo: nobody',
    footnote: '',
  })
  const none = publicModel({ ...model, brokenConsumers: [] })
  expect(renderTemplate(template, none).body).toEndWith('Nobody breaks.')
  expect(consumerNames(hidden)).toEqual(['registered consumers', 'Registered consumers'])
  const { body } = renderTemplate(systemTemplate, hidden)
  expect(body.match(/.*consumers.*/g)).toEqual([
    '  - affects registered consumers',
    '- **Registered consumers** would break: See the breaking changes.',
  ])
})

test('what a person wrote over it loses the lines that name consumers, and names within other lines', () => {
  const rendered = { full: 'One\n- affects app, app-store\nTwo', hidden: 'One\n- affects registered consumers\nTwo' }
  const edited = 'One\n- affects app, app-store\nTwo, tell (App-Store) and app: the application is mapped.'
  expect(withoutNames(edited, ['app-store', 'app'], rendered)).toBe(
    'One\nTwo, tell (a consumer) and a consumer: the application is mapped.',
  )
  expect(withoutNames('a.c abc', ['a.c'], rendered)).toBe('a consumer abc')
  expect(withoutNames(edited, [], rendered)).toBe(edited)
})
