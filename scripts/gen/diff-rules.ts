/**
 * The registry of change rules, one file in src/diff/rules each, and their documentation pages in docs/changes.
 */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Rule } from '../../src/diff/rule.ts'

const camel = (id: string): string => id.replaceAll(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

const places: Readonly<Record<string, string>> = {
  request: 'requests',
  response: 'responses',
  any: 'requests and responses',
  null: 'the document as a whole',
}

const areasHit: Readonly<Record<string, string>> = {
  document: 'Readers of the document. No request and no answer changes.',
  operation: 'Clients that call the operation.',
  webhook: 'Whoever receives the webhook.',
  callback: 'Clients that gave an address to be called back at.',
  security: 'Everybody who calls the operations that ask for it.',
  server: 'Clients that were built with the address.',
  tool: 'Agents that call the tool, and whoever decides what they may call unasked.',
  prompt: 'Hosts that offer the prompt, and the people who use it.',
  resource: 'Hosts that read the resource.',
  remote: 'Hosts that are connected to the address.',
  package: 'Whoever installs the server from the package.',
  workflow: 'Whoever runs the workflow or reads its outputs.',
}

const directionsHit: Readonly<Record<string, string>> = {
  request: 'Clients that send such requests; in a webhook or a callback, whoever receives them.',
  response: 'Clients that read the answer; in a webhook or a callback, the service.',
  any: 'Where clients write the value: those that send what is refused from then on. Where the service writes it: those that read what they were not told to expect.',
}

const whoIsHit = (rule: Rule): string => directionsHit[String(rule.direction)] ?? areasHit[rule.area] ?? ''

const asksMore = new Set(['required', 'required-property', 'sunset', 'anonymous', 'scopes'])
const texts = new Set(['documentation', 'tags', 'deprecated', 'operation-id', 'stability', 'component'])

/** What to do so that nobody is hurt. */
const instead = (rule: Rule): string => {
  const { action, area, kind } = rule
  if (texts.has(kind)) return 'Nothing. Where somebody builds on it nevertheless, tell them.'
  if (area === 'tool' || area === 'workflow')
    return 'Offer it under a new name beside the old one, and take the old one away when nobody uses it any more.'
  if (area === 'security')
    return 'Accept the old credentials beside the new ones until every caller has moved, then remove the old alternative.'
  if (action === 'removed' && (kind === 'itself' || kind.endsWith('property') || kind.endsWith('branch')))
    return 'Deprecate it first, announce the day of its end (`x-sunset`), look at who still uses it, and remove it after that day; or offer a new version beside the old one.'
  if (action === 'added' && asksMore.has(kind))
    return 'Make it optional at first, with a default that keeps the old behaviour; ask for it when every client sends it, or in a new version only.'
  if (action === 'added' && kind === 'itself') return 'Nothing, as long as it is optional.'
  return 'Where it breaks: keep accepting what was accepted (convert it, or warn), send what is new only to clients that asked for it, or make the change in a new version of the operation.'
}

const page = (id: string, rule: Rule): string =>
  [
    `# ${rule.title}`,
    '',
    `\`${id}\` · concerns ${places[String(rule.direction)]} · ${rule.area}, ${rule.kind}, ${rule.action}`,
    '',
    rule.explain,
    '',
    '## Who is hit',
    '',
    whoIsHit(rule),
    '',
    '## What to do instead',
    '',
    instead(rule),
    '',
    '## Its opposite',
    '',
    rule.mirror === null
      ? `It has no opposite: ${rule.waiver ?? ''}`
      : rule.mirror === id
        ? 'The opposite change has the same name.'
        : `The opposite change is [${rule.mirror}](${rule.mirror}.md).`,
    ...(rule.aliases && rule.aliases.length > 0
      ? ['', '## Under other names', '', `Other tools say: ${rule.aliases.map((it) => `\`${it}\``).join(', ')}.`]
      : []),
    '',
    '## To accept it',
    '',
    `To accept it for good, write \`- match: ${id}\` with a reason into a list for \`svc diff --ignore\`; to judge it otherwise, pass \`--severity ${id}=non-breaking\`.`,
    '',
  ].join('\n')

export default async (root: string): Promise<Record<string, string>> => {
  const folder = join(root, 'src/diff/rules')
  const ids = (await readdir(folder))
    .filter((name) => name.endsWith('.ts'))
    .map((name) => name.slice(0, -3))
    .sort()
  const loaded = await Promise.all(
    ids.map(async (id): Promise<[string, Rule]> => [
      id,
      ((await import(join(folder, `${id}.ts`))) as { default: Rule }).default,
    ]),
  )
  const index = [
    '# Changes that svc tells apart',
    '',
    'What a change is called decides nothing. Whether it breaks is derived from the values that are possible before and after.',
    '',
    '| Rule | What changed | Concerns |',
    '|---|---|---|',
    ...loaded.map(([id, rule]) => `| [${id}](${id}.md) | ${rule.title} | ${places[String(rule.direction)]} |`),
    '',
  ].join('\n')
  return {
    'src/diff/rules.gen.ts': [
      '// Generated by scripts/gen/diff-rules.ts from src/diff/rules: do not edit.',
      "import type { Rule } from './rule.ts'",
      ...ids.map((id) => `import ${camel(id)} from './rules/${id}.ts'`),
      '',
      '/** Every rule by its id. */',
      'export const rules: ReadonlyMap<string, Rule> = new Map([',
      ...ids.map((id) => `  ['${id}', ${camel(id)}],`),
      '])',
      '',
    ].join('\n'),
    'docs/changes/README.md': index,
    ...Object.fromEntries(loaded.map(([id, rule]) => [`docs/changes/${id}.md`, page(id, rule)])),
  }
}
