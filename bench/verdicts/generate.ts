/**
 * Writes the cases of a seed: `bun generate.ts [--seed SEED] [--seed-file FILE] [--held-out | --size] [--out FOLDER] [--check]`. Without more it
 * writes the published ones; `--held-out` writes those that are held out, `--size` those of the track size, `--check` writes nothing and exits with 1 where a file differs.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { publishedTrack, tracks } from './case.ts'
import { casesOf, heldOutOf, publishedSeed } from './generator/cases.ts'
import { filesOf } from './generator/files.ts'
import { sizeCases } from './generator/size.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    'seed-file': { type: 'string' },
    'held-out': { type: 'boolean' },
    size: { type: 'boolean' },
    out: { type: 'string' },
    check: { type: 'boolean' },
  },
})
const out = values.out ?? join(import.meta.dir, 'cases')

const kept = values['seed-file']
const seed = values.seed ?? (kept === undefined ? publishedSeed : readFileSync(kept, 'utf8').trim())
const isHeldOut = values['held-out'] === true
const isSize = values.size === true
if ((isHeldOut || isSize) && values.out === undefined) {
  console.error('--held-out and --size need --out: the published cases stay where they are.')
  process.exit(2)
}
const otherCases = isSize ? sizeCases : heldOutOf
const cases = isHeldOut || isSize ? otherCases(seed) : casesOf(seed)
const files = new Map(cases.flatMap((made) => [...filesOf(made)]))

const seeded = tracks.filter((track) => track !== publishedTrack)

/** Files below the folder that no case has, of the tracks that are made. */
function strayFiles(): string[] {
  return seeded
    .map((track) => join(out, track))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => relative(out, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .filter((path) => !files.has(path))
}

if (values.check === true) {
  const differing = [...files].filter(([path, text]) => {
    const file = join(out, path)
    return !existsSync(file) || readFileSync(file, 'utf8') !== text
  })
  const wrong = [...differing.map(([path]) => path), ...strayFiles()]
  for (const path of wrong) console.error(`differs: ${path}`)
  process.exit(wrong.length > 0 ? 1 : 0)
}
for (const track of seeded) rmSync(join(out, track), { recursive: true, force: true })
for (const [path, text] of files) {
  mkdirSync(dirname(join(out, path)), { recursive: true })
  writeFileSync(join(out, path), text)
}
console.log(`${files.size} files in ${out}`)
