import { addImport, assertKebab, camel, readIfThere, words, type Plan } from './plan.ts'

const engineText = (name: string): string => `import { coraza } from '../dialects/coraza.ts'
import { defineEngine } from './engine.ts'

export const ${camel(name)} = defineEngine({
  kind: '${name}',
  name: '${name}',
  title: '${words(name)}',
  note: 'Say in one sentence what it can and cannot do, for who chooses an engine.',
  // The flavour of SecLang that it reads; one that is new is a file of ../dialects.
  dialect: coraza,
})
`

const testText = (name: string): string => `import { expect, test } from 'bun:test'
import { engineNamed } from '../../../../src/gateway/engines/index.ts'

test('${name} is checked and reloaded by its own commands', () => {
  const { title, check, reload, version } = engineNamed('${name}')
  // State how it is asked whether it can load a release, how it loads one, and how it prints its version.
  expect({ title, check: check?.program ?? null, reload, version }).toEqual({
    title: '${words(name)}',
    check: '${name}',
    reload: '${name} reload',
    version: '${name} --version',
  })
})
`

/** An engine of gateways: its record, and its place in the list that people choose from, before the one that only writes files. */
export const newEngine = (root: string, name: string): Plan => {
  assertKebab(name)
  const registry = 'src/gateway/engines/index.ts'
  const before = readIfThere(root, registry) ?? ''
  const list = /^const known = \[(.*)\] as const$/m
  if (!list.test(before)) throw new Error(`${registry}: expected "const known = […] as const"`)
  const listed = before.replace(list, (_, items: string) => {
    const others = items.split(', ').filter((it) => it !== 'exported')
    return `const known = [${[...others, camel(name), 'exported'].join(', ')}] as const`
  })
  return {
    created: {
      [`src/gateway/engines/${name}.ts`]: engineText(name),
      [`test/src/gateway/engines/${name}.test.ts`]: testText(name),
    },
    changed: { [registry]: addImport(listed, `import { ${camel(name)} } from './${name}.ts'`) },
    next: ['npm run gen', `npm test -- test/src/gateway/engines/${name}.test.ts test/src/gateway/engines.test.ts`],
  }
}
