/** Files are noticed however they are saved: written, replaced by renaming, removed, made again. */
import { afterEach, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Poller, Watcher } from '../../../cli/watch/watcher.ts'

const made: (() => void)[] = []
afterEach(() => {
  for (const undo of made.splice(0)) undo()
})

/** A folder with a watcher, and a way to wait for the next event. */
const start = (kind: 'events' | 'poll') => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-watcher-'))
  let count = 0
  let wake = (): void => undefined
  const notify = (): void => {
    count++
    wake()
  }
  const watcher = kind === 'events' ? new Watcher(notify) : new Poller(notify, 10)
  made.push(() => {
    watcher.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const noticed = async (act: () => void): Promise<void> => {
    // Earlier events may come late: quiet first.
    for (let before = -1; before !== count;) {
      before = count
      await Bun.sleep(60)
    }
    const before = count
    const event = new Promise<void>((resolve) => {
      wake = resolve
    })
    act()
    await event
    expect(count).toBeGreaterThan(before)
  }
  const path = (name: string): string => join(folder, name)
  return { folder, watcher, noticed, path, events: () => count }
}

for (const kind of ['events', 'poll'] as const)
  test(`a file that is written, replaced, removed and made again (${kind})`, async () => {
    const { watcher, noticed, path } = start(kind)
    const file = path('api.yaml')
    writeFileSync(file, 'a: 1')
    const set = () => watcher.set({ files: [file], folders: [] })
    await set()
    await noticed(() => writeFileSync(file, 'a: 22'))
    await set()
    writeFileSync(path('other.tmp'), 'a: 333')
    await noticed(() => renameSync(path('other.tmp'), file))
    await set()
    await noticed(() => rmSync(file))
    await set()
    await noticed(() => writeFileSync(file, 'a: 4444'))
  })

test('a file whose folder does not exist yet, and one whose folder is removed and made again', async () => {
  const { watcher, noticed, path } = start('events')
  const file = path('parts/deep/a.yaml')
  const set = () => watcher.set({ files: [file], folders: [] })
  await set()
  await noticed(() => mkdirSync(path('parts')))
  await set()
  await noticed(() => mkdirSync(path('parts/deep')))
  await set()
  await noticed(() => writeFileSync(file, 'a: 1'))
  await set()
  await noticed(() => rmSync(path('parts'), { recursive: true }))
  await set()
  await noticed(() => mkdirSync(path('parts/deep'), { recursive: true }))
  await set()
  await noticed(() => writeFileSync(file, 'a: 2'))
})

test('documents that appear in a folder, and nothing else in it', async () => {
  const { watcher, noticed, path, folder, events } = start('events')
  await watcher.set({ files: [], folders: [folder] })
  await noticed(() => writeFileSync(path('new.yaml'), 'a: 1'))
  await noticed(() => mkdirSync(path('apis')))
  await noticed(() => writeFileSync(path('new.json'), '{}'))
  await noticed(() => rmSync(path('new.json')))
  await Bun.sleep(60)
  const before = events()
  writeFileSync(path('notes.txt'), 'x')
  writeFileSync(path('.new.yaml.swp'), 'x')
  // An event that counts shows that the earlier ones were handled.
  await noticed(() => writeFileSync(path('new.yaml'), 'a: 2'))
  expect(before).toBeLessThan(events())
})

test('nothing is noticed after it was closed', async () => {
  const { watcher, noticed, path, events } = start('events')
  const file = path('api.yaml')
  await watcher.set({ files: [file], folders: [] })
  await noticed(() => writeFileSync(file, 'a: 1'))
  watcher.close()
  const before = events()
  writeFileSync(file, 'a: 2')
  expect(await watcher.set({ files: [file], folders: [] })).toBeNull()
  writeFileSync(file, 'a: 3')
  await Bun.sleep(100)
  expect(events()).toBe(before)
})
