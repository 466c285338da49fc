/** Overlays on a document of 13 MB beside reading it, and the merge driver of git on 4 MB of YAML. */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseDocument } from '../src/document/parse.ts'
import { applyOverlay } from '../src/overlay/apply.ts'
import { overlayOf, type Overlay } from '../src/overlay/read.ts'
import { largeDocument, largeYaml } from './large-document.ts'
import { binary, freshFolder, median, timeCommand, type Measurement } from './measure.ts'

const runs = 9

const overlay = (actions: string): Overlay =>
  overlayOf(
    parseDocument(`overlay: 1.1.0\ninfo: { title: Bench, version: 1.0.0 }\nactions:\n${actions}`, { source: 'o.yaml' }),
  )

const title = '  - { target: $.info, update: { title: Changed, x-owner: { team: apis } } }\n'
const sets = {
  'an overlay of one action on 12.8 MB, read, applied and written': overlay(title),
  'the same of three actions, which change 686 operations and remove 208': overlay(
    `${title}  - { target: $.paths.*.delete, remove: true }\n  - { target: $.paths.*.get, update: { x-readable: true } }\n`,
  ),
  'the same with a filter over every node': overlay(
    `${title}  - { target: '$..[?@.deprecated == true]', update: { x-old: true } }\n`,
  ),
} as const

/** Milliseconds of processor time: other work on the machine does not count. */
function processorMs(work: () => unknown): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

function applied(text: string): Measurement[] {
  const read = () => parseDocument(text, { source: 'large.json', syntax: 'json' })
  return Object.entries(sets).map(([name, one]): Measurement => {
    const [ours, reference]: [number[], number[]] = [[], []]
    for (let run = 0; run < runs; run++) {
      reference.push(processorMs(read))
      ours.push(processorMs(() => applyOverlay(read(), [one]).document.text.length))
    }
    return {
      name,
      ours: median(ours),
      reference: median(reference),
      referenceName: 'reading it',
      unit: 'ms',
      goal: '≤ 1.5, processor time',
    }
  })
}

/** Both branches change another operation of the same file. */
async function merge(): Promise<Measurement> {
  const folder = freshFolder('merge-driver')
  const base = readFileSync(await largeYaml(), 'utf8')
  const places = [...base.matchAll(/\n +summary: .*/g)]
  const changed = (at: number): string => {
    const place = places[at]
    if (place === undefined) throw new Error('the document has too few operations')
    return `${base.slice(0, place.index)}${place[0]} changed${base.slice(place.index + place[0].length)}`
  }
  const names = ['base.yaml', 'mine.yaml', 'theirs.yaml', 'ours.yaml'].map((it) => join(folder, it))
  const [older = '', mine = '', theirs = '', ours = ''] = names
  for (const [path, text] of [
    [older, base],
    [mine, changed(10)],
    [theirs, changed(places.length - 10)],
  ] as const)
    writeFileSync(path, text)
  const times = Array.from({ length: runs }, () => {
    copyFileSync(mine, ours)
    return timeCommand([binary, 'git', 'merge-driver', older, ours, theirs, '7', 'openapi.yaml'])
  })
  const made = readFileSync(ours, 'utf8')
  if (made.match(/summary: .* changed\n/g)?.length !== 2) throw new Error('the merge lost a change')
  return {
    name: 'git merge driver on three files of 4.2 MB of YAML, as a process',
    ours: median(times),
    reference: 1000,
    referenceName: 'the bound',
    unit: 'ms',
    goal: '≤ 1 s',
  }
}

/** Overlays, and the merge driver. */
export const overlays = async (): Promise<readonly Measurement[]> => [
  ...applied(await largeDocument('ghec.json')),
  await merge(),
]
