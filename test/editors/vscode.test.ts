import { expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fromBuffer, type Entry } from 'yauzl'

const root = join(import.meta.dir, '..', '..')
const folder = join(root, 'editors', 'vscode')

/** The texts of a zip archive by their names. */
function unzip(bytes: Buffer): Promise<Map<string, string>> {
  return new Promise((resolve, reject) => {
    fromBuffer(bytes, { lazyEntries: true }, (error, zip) => {
      if (error !== null) return reject(error)
      const found = new Map<string, string>()
      zip.on('entry', (entry: Entry) => {
        zip.openReadStream(entry, (failed, stream) => {
          if (failed !== null) return reject(failed)
          const pieces: Buffer[] = []
          stream.on('data', (piece: Buffer) => pieces.push(piece))
          stream.once('end', () => {
            found.set(entry.fileName, Buffer.concat(pieces).toString())
            zip.readEntry()
          })
        })
      })
      zip.once('end', () => resolve(found))
      zip.readEntry()
    })
  })
}

test('the extension is packed with everything that it needs, the same bytes each time', async () => {
  const place = mkdtempSync(join(tmpdir(), 'svc-vsix-'))
  try {
    const packed = ['a.vsix', 'b.vsix'].map((name) => {
      const file = join(place, name)
      const run = Bun.spawnSync([process.execPath, 'run', join(folder, 'package.ts'), file])
      expect([run.exitCode, run.stderr.toString()]).toEqual([0, ''])
      return readFileSync(file)
    })
    expect(packed[0]?.equals(packed[1] ?? Buffer.alloc(0))).toBe(true)
    const files = await unzip(packed[0] ?? Buffer.alloc(0))
    expect([...files.keys()]).toEqual([
      '[Content_Types].xml',
      'extension.vsixmanifest',
      'extension/package.json',
      'extension/README.md',
      'extension/LICENSE.txt',
      'extension/extension.js',
    ])
    const bundle = files.get('extension/extension.js') ?? ''
    const required = new Set([...bundle.matchAll(/\brequire\("([^"]+)"\)/g)].map(([, name = '']) => name))
    const foreign = [...required].filter((it) => !builtinModules.includes(it.replace('node:', '')))
    expect(foreign).toEqual(['vscode'])
    for (const name of ['activate', 'deactivate']) expect(bundle).toContain(name)
    const described = JSON.parse(files.get('extension/package.json') ?? '') as {
      name: string
      version: string
      contributes: { configuration: { properties: object } }
    }
    const manifest = files.get('extension.vsixmanifest') ?? ''
    expect(manifest).toContain(`Id="${described.name}" Version="${described.version}"`)
    // Every setting that the extension reads is declared, and described in its README.
    const source = readFileSync(join(folder, 'extension.js'), 'utf8')
    const read = [...source.matchAll(/settings\.get\('(\w+)'/g)].map(([, name]) => `svc.${name}`)
    const declared = Object.keys(described.contributes.configuration.properties)
    expect(read.toSorted()).toEqual(declared.filter((it) => it !== 'svc.trace.server').toSorted())
    for (const name of declared) expect(files.get('extension/README.md')).toContain(`\`${name}\``)
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
})
