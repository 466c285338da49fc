import { addImport, camel, insertInBlock, pascal, readIfThere, type Plan } from './plan.ts'

const folder = 'src/api/events'

const entryText = (type: string, name: string): string => `  '${type}': event({
    type: '${type}',
    title: '${name}Event',
    summary: 'Say in one sentence when it happens.',
    data: { subject_id: Type.String({ description: 'What it is about.' }) },
    example: { subject_id: '01980c5e-7a3b-7c21-9d10-4f6a2b8c1e37' },
    dataOf: (payload: ${name}) => ({ subject_id: payload.subject_id }),
  }),`

const payloadText = (
  name: string,
): string => `/** What is recorded of it. Keys are kept as they are, so they only grow. */
interface ${name} {
  readonly subject_id: string
}
`

const groupText = (group: string, list: string, payload: string, entry: string): string =>
  `import { Type } from '@sinclair/typebox'
import { event } from './declare.ts'

${payload}
/** Events about ${group.replaceAll('_', ' ')}s. */
export const ${list} = {
${entry}
}
`

const testText = (type: string): string => `import { expect, test } from 'bun:test'
import { bodyOfEvent } from '../../../server/webhooks/event-body.ts'

test('the body of ${type}', () => {
  const event = {
    id: '1',
    tenantId: '2',
    type: '${type}',
    subjectId: '3',
    payload: { subject_id: '3' },
    createdAt: '2026-11-20T10:15:00.000Z',
  } as const
  // State the whole body that receivers get.
  expect(bodyOfEvent(event, { publicUrl: 'https://svc.example.com', tenant: 'acme' })).toEqual({
    type: '${type}',
    timestamp: '2026-11-20T10:15:00.000Z',
    data: { subject_id: 'replace this by what receivers need' },
  })
})
`

/** The file of the events whose type begins with the same word; null where there is none. */
function fileOfGroup(root: string, group: string): { readonly path: string; readonly text: string } | null {
  for (const path of new Bun.Glob(`${folder}/*.ts`).scanSync(root)) {
    const text = readIfThere(root, path) ?? ''
    if (text.includes(`\n  '${group}.`)) return { path, text }
  }
  return null
}

/** An event that webhooks receive: its declaration beside those of its group, and a test of its body. */
export const newEvent = (root: string, type: string): Plan => {
  const match = /^([a-z]+)\.([a-z]+(?:_[a-z]+)*)$/.exec(type)
  if (match === null) throw new Error(`"${type}" must be GROUP.NAME in lower case, such as version.archived.`)
  const group = match[1] ?? ''
  const kebab = type.replaceAll(/[._]/g, '-')
  const name = pascal(kebab)
  const created = { [`test/server/webhooks/${kebab}.test.ts`]: testText(type) }
  const next = [
    `call recordEvent with the type "${type}" in the transaction of the change`,
    'npm run gen',
    `npm test -- test/server/webhooks/${kebab}.test.ts`,
  ]
  const there = fileOfGroup(root, group)
  if (there !== null) {
    if (there.text.includes(`'${type}':`)) throw new Error(`Already there: ${type} in ${there.path}`)
    const extended = insertInBlock(there.text, /^export const \w+Events = \{/, entryText(type, name), there.path)
    const declared = extended.replace(/^\/\*\* [^\n]*\*\/\nexport const \w+Events = /m, `${payloadText(name)}\n$&`)
    return { created, changed: { [there.path]: declared }, next }
  }
  const list = `${camel(group)}Events`
  const registry = 'src/api/webhook-events.ts'
  const listed = insertInBlock(
    readIfThere(root, registry) ?? '',
    /^const recordedEvents = \{/,
    `  ...${list},`,
    registry,
  )
  return {
    created: {
      ...created,
      [`${folder}/${group}s.ts`]: groupText(group, list, payloadText(name), entryText(type, name)),
    },
    changed: { [registry]: addImport(listed, `import { ${list} } from './events/${group}s.ts'`) },
    next,
  }
}
