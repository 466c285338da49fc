/** The publisher file: who publishes, read before anything is built. */
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { identityOf, packageVersion } from '../../../scripts/release/identity.ts'
import { readPublisher } from '../../../scripts/release/publisher.ts'

const root = join(import.meta.dir, '..', '..', '..')

const least = `maintainer: { name: Acme, email: api@acme.example }
repository: https://github.com/acme/svc
`

/** The lines of the refusal, without the advice at its end. */
function refusedOf(text: string): readonly string[] {
  try {
    readPublisher('publisher.yaml', text)
  } catch (error) {
    const lines = (error as Error).message.split('\n')
    expect(lines.at(-1)).toBe('docs/publisher.yaml is an example of such a file.')
    return lines.slice(0, -1)
  }
  return []
}

test('the example of the documentation is a publisher file with every name', () => {
  const path = 'docs/publisher.yaml'
  expect(readPublisher(path, readFileSync(join(root, path), 'utf8'))).toEqual({
    maintainer: { name: 'Acme API team', email: 'api@acme.example' },
    repository: 'https://github.com/acme/svc',
    homepage: 'https://acme.example/svc',
    npm: '@acme/svc',
    homebrew: 'acme/tap',
    scoop: 'acme/bucket',
    winget: 'Acme.Svc',
    apt: { url: 'https://apt.acme.example', origin: 'Acme', suite: 'stable' },
    image: 'ghcr.io/acme/svc',
    chart: 'oci://ghcr.io/acme/charts',
    action: 'acme/svc-action',
  })
})

test('the maintainer and the repository are enough, in YAML and JSON', () => {
  const publisher = {
    maintainer: { name: 'Acme', email: 'api@acme.example' },
    repository: 'https://github.com/acme/svc',
    homepage: 'https://github.com/acme/svc',
  }
  expect(readPublisher('publisher.yaml', least)).toEqual(publisher)
  const { homepage: _, ...written } = publisher
  expect(readPublisher('publisher.json', JSON.stringify(written))).toEqual(publisher)
})

test('every problem is refused with its line and column', () => {
  expect(refusedOf('npm: "@acme/svc"\n')).toEqual([
    'publisher.yaml:1:1: maintainer is missing',
    'publisher.yaml:1:1: repository is missing',
  ])
  expect(refusedOf(`${least}npmm: '@acme/svc'\n`)).toEqual([
    'publisher.yaml:3:1: Unknown property "npmm"; did you mean "npm"?',
  ])
  expect(refusedOf(least.replace('api@acme.example', 'acme').replace('https', 'http'))).toEqual([
    'publisher.yaml:1:34: maintainer.email must be an e-mail address, such as api@acme.example, not "acme"',
    'publisher.yaml:2:13: repository must be the address of a repository, such as https://github.com/OWNER/svc, not "http://github.com/acme/svc"',
  ])
  expect(refusedOf(`${least}apt: { url: 'https://apt.acme.example', origin: Acme, key: 0123ABCD }\n`)).toEqual([
    'publisher.yaml:3:60: apt.key must be the fingerprint of a key, 40 digits as "gpg --list-keys" prints them, not "0123ABCD"',
  ])
  expect(refusedOf(`${least}apt:\n  url: https://apt.acme.example\n  origin: ''\n`)).toEqual([
    'publisher.yaml:5:11: apt.origin must not be empty',
  ])
  expect(refusedOf('maintainer: [\n')).toHaveLength(1)
  expect(refusedOf('- acme\n')).toEqual(['publisher.yaml:1:1: The file must be an object'])
})

test('names that a registry would refuse are refused before', () => {
  const refused: Readonly<Record<string, readonly string[]>> = {
    npm: ['svc', '@acme', '@Acme/svc', '@acme/svc/x'],
    homebrew: ['acme', 'acme/tap/svc', '-acme/tap'],
    winget: ['Svc', 'Acme Inc.Svc', `Acme.${'x'.repeat(33)}`],
    image: ['acme/svc', 'ghcr.io/Acme/svc', 'ghcr.io/acme/svc:1.2.3', 'https://ghcr.io/acme/svc'],
    chart: ['ghcr.io/acme/charts', 'oci://ghcr.io'],
    homepage: ['http://acme.example', 'https://acme.example/"x'],
  }
  for (const [name, values] of Object.entries(refused))
    for (const value of values) {
      const [line, ...more] = refusedOf(`${least}${name}: ${JSON.stringify(value)}\n`)
      expect(more).toEqual([])
      expect(line).toStartWith(`publisher.yaml:3:${name.length + 3}: ${name} must be `)
      expect(line).toEndWith(`, not "${value}"`)
    }
  for (const image of ['ghcr.io/acme/svc', 'localhost:5000/svc', 'registry.example.com:5000/a/b_c/svc'])
    expect(refusedOf(`${least}image: ${image}\n`)).toEqual([])
})

test('a workflow for a tag releases that version only', () => {
  const publisher = readPublisher('publisher.yaml', least)
  const tagged = { GITHUB_REF_TYPE: 'tag', GITHUB_REF_NAME: 'v1.2.3' }
  expect(identityOf(publisher, { version: '1.2.3' }, tagged)).toEqual({ ...publisher, version: '1.2.3' })
  expect(identityOf(publisher, { version: '1.2.4' }, {}).version).toBe('1.2.4')
  expect(() => identityOf(publisher, { version: '1.2.4' }, tagged)).toThrow('the tag must be v1.2.4')
})

test('a pre-release comes before its release in deb and rpm', () => {
  expect(packageVersion({ version: '1.2.3' })).toBe('1.2.3')
  expect(packageVersion({ version: '1.2.3-rc.1' })).toBe('1.2.3~rc.1')
  expect(packageVersion({ version: '1.2.3-rc-1.2+build.7' })).toBe('1.2.3~rc.1.2')
})
