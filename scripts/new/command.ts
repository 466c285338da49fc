import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { assertKebab, words, type Plan } from './plan.ts'

const commandText = (name: string, depth: string): string => `import { command } from '${depth}cli/declare.ts'

export default command({
  summary: 'Say in one line what "svc ${name}" does',
  examples: ['svc ${name} petstore'],
  arguments: [{ name: 'project', required: true, summary: 'id or slug' }],
  options: {},
  run: ({ args }) => Promise.resolve({ data: { project: args.project }, text: \`\${args.project}\\n\` }),
})
`

/** A command and its golden; an index.ts for each folder of it that is new. */
export const newCommand = (root: string, name: string): Plan => {
  const parts = name.split(/[ /]/)
  for (const part of parts) assertKebab(part)
  const path = `commands/${parts.join('/')}.ts`
  const golden = `test/golden/${parts.join('-')}`
  const groups = parts.slice(0, -1).flatMap((part, index) => {
    const folder = parts.slice(0, index + 1).join('/')
    if (existsSync(join(root, 'commands', folder, 'index.ts'))) return []
    const text = `import { group } from '${'../'.repeat(index + 2)}cli/declare.ts'\n\nexport default group({ summary: 'Manage ${part.replaceAll('-', ' ')}s' })\n`
    return [[`commands/${folder}/index.ts`, text] as const]
  })
  return {
    created: {
      ...Object.fromEntries(groups),
      [path]: commandText(parts.join(' '), '../'.repeat(parts.length)),
      [`${golden}/cmd`]: `svc ${parts.join(' ')} petstore\n`,
      [`${golden}/stdout`]: `${words(parts.at(-1) ?? '')} of petstore: replace this by what the command shall print.\n`,
    },
    changed: {},
    next: ['npm run gen', `node scripts/bun.mjs test/golden/run.ts ${parts.join('-')}`],
  }
}
