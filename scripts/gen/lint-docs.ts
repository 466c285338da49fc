import { join } from 'node:path'
import { fixOption } from '../../src/lint/fix/fix.ts'
import rates from './mcp-rates.json'
import type { BuiltinRule } from '../../src/lint/rule.ts'

const code = (text: string): string => `\`${text.replaceAll('`', "'")}\``

/** How often a rule finds something in the tool lists of public catalogues; null for rules that they have no place for. */
function measured(id: string): string | null {
  const all: Readonly<Record<string, { readonly tools: number; readonly lists: number }>> = rates.rules
  const rate = all[id]
  if (rate === undefined) return null
  const share = (count: number, of: number, unit: string): string =>
    `${count} of ${of} ${unit} (${((100 * count) / of).toFixed(1)} %)`
  const isOfLists = rate.tools === 0 && rate.lists > 0
  const found = isOfLists ? share(rate.lists, rates.lists, 'tool lists') : share(rate.tools, rates.tools, 'tools')
  return `| Measured | a finding in ${found} of public catalogues |`
}

function page(id: string, rule: BuiltinRule): string {
  const { description, severity = 'warning', formats, given, resolved, recommended, help, documentationUrl, fix } = rule
  const facts = [
    `| Severity | ${severity} |`,
    `| On by default | ${recommended === false ? 'no' : 'yes'} |`,
    `| Formats | ${formats === undefined ? 'all' : formats.join(', ')} |`,
    `| Fixable | ${fix === undefined ? 'no' : `with \`svc lint ${fixOption(fix)}\`, where that is safe`} |`,
    `| Origin | ${rule.origin === 'spectral' ? "Spectral's rulesets" : 'svc'} |`,
    `| Checks | ${given.map((it) => code(it.replaceAll('|', '\\|'))).join('<br>')} |`,
    `| References | ${resolved === false ? 'not resolved' : 'resolved'} |`,
    ...[measured(id)].filter((it) => it !== null),
    ...(documentationUrl === undefined ? [] : [`| More | <${documentationUrl}> |`]),
  ]
  const files = Object.entries(help.beside ?? {}).map(
    ([name, text]) => `The file \`${name}\` next to it:\n\n\`\`\`yaml\n${text.trim()}\n\`\`\`\n\n`,
  )
  return (
    `# ${id}\n\n${description} ${help.why}\n\n` +
    `**What to do:** ${help.remedy}\n\n` +
    `Incorrect:\n\n\`\`\`yaml\n${help.bad.trim()}\n\`\`\`\n\nCorrect:\n\n\`\`\`yaml\n${help.good.trim()}\n\`\`\`\n\n` +
    files.join('') +
    `| | |\n|---|---|\n${facts.join('\n')}\n\n` +
    `Set its severity in your own style guide:\n\n\`\`\`yaml\nextends: svc:recommended\nrules:\n  ${id}: error # or warn, info, hint, off\n\`\`\`\n`
  )
}

/** A page for each lint rule, and the list of them. */
export default async function lintDocs(root: string): Promise<Record<string, string>> {
  const { rules } = (await import(join(root, 'src/lint/rules.gen.ts'))) as {
    rules: Readonly<Record<string, BuiltinRule>>
  }
  const ids = Object.keys(rules).sort()
  const rows = ids.map((id) => {
    const { description, severity = 'warning', recommended, fix } = rules[id] as BuiltinRule
    return `| [${id}](${id}.md) | ${severity} | ${recommended === false ? 'no' : 'yes'} | ${fix === undefined ? 'no' : 'yes'} | ${description} |\n`
  })
  const index =
    '# Lint rules\n\nEvery builtin rule of `svc lint`. This page is generated from the rules by `npm run gen`.\n\n' +
    `| Rule | Severity | On by default | Fixable | Requirement |\n|---|---|---|---|---|\n${rows.join('')}`
  return {
    'docs/rules/README.md': index,
    ...Object.fromEntries(ids.map((id) => [`docs/rules/${id}.md`, page(id, rules[id] as BuiltinRule)])),
  }
}
