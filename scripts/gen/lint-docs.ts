import { join } from 'node:path'
import type { Rule } from '../../src/lint/rule.ts'

const code = (text: string): string => `\`${text.replaceAll('`', "'")}\``

function page(id: string, rule: Rule): string {
  const { description = '', severity = 'warning', formats, given, resolved, recommended, help, documentationUrl } = rule
  const facts = [
    `| Severity | ${severity} |`,
    `| On by default | ${recommended === false ? 'no' : 'yes'} |`,
    `| For | ${formats === undefined ? 'every document' : formats.join(', ')} |`,
    `| Looks at | ${given.map((it) => code(it.replaceAll('|', '\\|'))).join('<br>')} |`,
    `| References | ${resolved === false ? 'as they are written' : 'followed'} |`,
    ...(documentationUrl === undefined ? [] : [`| More | <${documentationUrl}> |`]),
  ]
  return (
    `# ${id}\n\n${description}${help === undefined ? '' : ` ${help.why}`}\n\n` +
    (help === undefined
      ? ''
      : `Not so:\n\n\`\`\`yaml\n${help.bad.trim()}\n\`\`\`\n\nBut so:\n\n\`\`\`yaml\n${help.good.trim()}\n\`\`\`\n\n${help.remedy}\n\n`) +
    `| | |\n|---|---|\n${facts.join('\n')}\n\n` +
    `To set it in a guide of your own:\n\n\`\`\`yaml\nextends: svc:recommended\nrules:\n  ${id}: error # or warn, info, hint, off\n\`\`\`\n`
  )
}

/** A page for each lint rule, and the list of them. */
export default async function lintDocs(root: string): Promise<Record<string, string>> {
  const { rules } = (await import(join(root, 'src/lint/rules.gen.ts'))) as { rules: Readonly<Record<string, Rule>> }
  const ids = Object.keys(rules).sort()
  const rows = ids.map((id) => {
    const { description = '', severity = 'warning', recommended } = rules[id] as Rule
    return `| [${id}](${id}.md) | ${severity} | ${recommended === false ? 'no' : 'yes'} | ${description} |\n`
  })
  const index =
    '# Rules of `svc lint`\n\nMade from the rules themselves by `npm run gen`.\n\n' +
    `| Rule | Severity | On by default | What holds |\n|---|---|---|---|\n${rows.join('')}`
  return {
    'docs/rules/README.md': index,
    ...Object.fromEntries(ids.map((id) => [`docs/rules/${id}.md`, page(id, rules[id] as Rule)])),
  }
}
