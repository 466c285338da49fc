/** What agents read of a repository: a section of AGENTS.md, and a skill. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SvcError } from '../../src/errors.ts'
import { shortName } from '../project-file/find.ts'

/** The APIs of a repository: their documents are absolute. */
interface Described {
  readonly apis: readonly { readonly name: string; readonly root: string }[]
  readonly folder: string
}

/** A file that is to be written. */
export interface AgentFile {
  readonly file: string
  readonly text: string
}

const begin = '<!-- svc: begin -->'
const end = '<!-- svc: end -->'
const instructionsName = 'AGENTS.md'
// Where Claude Code looks for skills; others find it by the link in AGENTS.md.
const skillName = '.claude/skills/svc/SKILL.md'

const mostListed = 20

function listOf({ apis, folder }: Described): string {
  const shown = apis.slice(0, mostListed).map(({ name, root }) => `- \`${name}\`: \`${shortName(root, folder)}\`\n`)
  return shown.join('') + (apis.length > mostListed ? `- and ${apis.length - mostListed} more in \`svc.yaml\`\n` : '')
}

const sectionOf = (file: Described): string => `${begin}
## API descriptions

\`svc\` checks the API descriptions of this repository; \`svc.yaml\` says which they are and by what rules.

${listOf(file)}
- After every edit of one: \`svc check --format agent\`. It has to exit with 0 before you commit.
- Where \`svc mcp --design\` is connected, edit with its tool \`edit\`: a dry run shows what would break, for whom, and the next version.
- A breaking change is a decision of a person. Never accept its fingerprint, or edit \`svc-diff.yaml\`, a baseline or waivers, without being asked to.
- How to compare, accept and publish: [${skillName}](${skillName}).
${end}`

const skillOf = (file: Described): string => `---
name: svc
description: Check, compare, accept and publish the API descriptions of this repository. Use it before and after every edit of an OpenAPI, Swagger, Arazzo, JSON Schema or MCP document.
---

# API descriptions with svc

${listOf(file)}
## Check

\`\`\`sh
svc check --format agent                 # all gates of svc.yaml: findings, grade, changes
svc lint FILE --format agent             # one file; each finding has its fingerprint and, where there is one, the exact edit
svc lint FILE --fix --dry-run            # what svc would correct by itself
svc explain CODE                         # what a rule or a change means, and what to do
\`\`\`

Exit code 0: passed. 4: a threshold is not met or a change breaks. 6: a document cannot be read. Correct findings in the order in which they are listed: the
first ones gain the most. Do not suppress a finding to make a check pass.

## Compare

\`\`\`sh
svc diff NAME --format agent             # an API of svc.yaml with what compareWith names
svc diff main:FILE FILE --format agent   # a file with that of another revision
svc version next main:FILE FILE          # the version number that the change needs
\`\`\`

\`breaking\` comes with a value that was accepted and is refused now. \`unknown\` is undecided: treat it as breaking. Prefer an edit that adds: a new optional
property, another operation, a wider type; deprecate what is to go.

## Accept

Only when a person decided so. With \`svc mcp --design\`: send the fingerprints of the changes in \`accept\`. Without it, write them into \`svc-diff.yaml\`:

\`\`\`yaml
ignore:
  - match: FINGERPRINT
    reason: why clients can live with it
    until: 2027-01-31
\`\`\`

## Publish

\`\`\`sh
svc import preflight FILE                                          # what would keep it from being published
svc import openapi FILE --project-slug PROJECT --publish private   # the service checks the gates again
\`\`\`
`

/** What makes the end of a text the end of a paragraph. */
function gapBehind(text: string): string {
  if (text === '' || text.endsWith('\n\n')) return ''
  return text.endsWith('\n') ? '\n' : '\n\n'
}

/** The text of AGENTS.md with the section of svc in its place, or behind everything else. */
function withSection(text: string, section: string): string {
  const [from, to] = [text.indexOf(begin), text.indexOf(end)]
  if (from >= 0 && to > from) return text.slice(0, from) + section + text.slice(to + end.length)
  return `${text}${gapBehind(text)}${section}\n`
}

const readIfThere = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8') : '')

/**
 * The files for agents of a repository. What people wrote in AGENTS.md stays.
 * @param replaces whether a skill that svc did not write is replaced
 * @throws SvcError `usage` where there is such a skill
 */
export function agentFiles(file: Described, replaces: boolean): AgentFile[] {
  const { folder } = file
  const skill = readIfThere(join(folder, skillName))
  if (skill !== '' && !skill.startsWith('---\nname: svc\n') && !replaces)
    throw new SvcError('usage', { reason: `There is a ${skillName} that svc did not write; --force replaces it` })
  return [
    { file: instructionsName, text: withSection(readIfThere(join(folder, instructionsName)), sectionOf(file)) },
    { file: skillName, text: skillOf(file) },
  ]
}
