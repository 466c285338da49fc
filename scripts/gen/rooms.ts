/** The picture of the rooms in ARCHITECTURE.md and what the README of each room says it may use, from rooms.json. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { levelsOf, reduced } from '../house/imports.ts'
import type { Neighbours } from '../house/neighbours.ts'

const identifierOf = (room: string): string => room.replaceAll('-', '_')

/** A flowchart in Mermaid: a room points to the rooms that it uses, but for those that it reaches through another. */
function pictureOf(rooms: Readonly<Record<string, readonly string[]>>): string {
  const levels = levelsOf(rooms)
  const edges = reduced(rooms)
  return [
    '```mermaid',
    'flowchart TB',
    ...levels
      .toReversed()
      .flat()
      .map((room) => `  ${identifierOf(room)}["${room}"]`),
    ...Object.entries(edges).flatMap(([room, neighbours]) =>
      neighbours.length === 0 ? [] : [`  ${identifierOf(room)} --> ${neighbours.map(identifierOf).join(' & ')}`],
    ),
    '```',
  ].join('\n')
}

const between = (text: string, name: string, content: string): string =>
  text.replace(
    new RegExp(`(<!-- ${name} -->\n)[\\s\\S]*?(<!-- /${name} -->)`),
    (_, begin: string, end: string) => `${begin}${content}\n${end}`,
  )

export default async function rooms(root: string): Promise<Record<string, string>> {
  const allowed = JSON.parse(await readFile(join(root, 'rooms.json'), 'utf8')) as Neighbours
  const pages: Record<string, string> = {}
  let architecture = await readFile(join(root, 'ARCHITECTURE.md'), 'utf8')
  for (const [top, own] of Object.entries(allowed)) {
    architecture = between(architecture, `rooms of ${top}`, pictureOf(own))
    for (const [room, neighbours] of Object.entries(own)) {
      const path = `${top}/${room}/README.md`
      const file = Bun.file(join(root, path))
      if (!(await file.exists())) continue
      const may = neighbours.length === 0 ? 'no other room' : neighbours.map((one) => `[${one}](../${one})`).join(', ')
      pages[path] = (await file.text()).replace(/^May use: .*$/m, `May use: ${may}.`)
    }
  }
  pages['ARCHITECTURE.md'] = architecture
  return pages
}
