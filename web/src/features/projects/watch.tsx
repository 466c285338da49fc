import { useQuery } from '@tanstack/react-query'
import { Bell, BellOff, BellRing } from 'lucide-react'
import type { ProjectRecord } from '../../../../src/api/projects.ts'
import { type WatchLevel, watchLevels } from '../../../../src/api/project-watches.ts'
import { Menu, MenuChoice } from '../../parts/menu.tsx'
import { watchAndTell, watchQuery } from '../catalog/watches.ts'

const names: Readonly<Record<WatchLevel, string>> = {
  everything: 'Everything: all news of this project',
  concerns_me: 'What concerns me: what I made, edited, commented or review',
  muted: 'Mute: only mentions and reviews that are asked of me',
}

const marks = {
  everything: { icon: BellRing, text: 'Watching' },
  concerns_me: { icon: Bell, text: 'Watch' },
  muted: { icon: BellOff, text: 'Muted' },
} as const

/** How much of a project reaches the person: everything, what concerns them, or nothing but what is addressed to them. */
export const WatchMenu = ({ tenant, project }: { tenant: string; project: ProjectRecord }) => {
  const watch = useQuery(watchQuery(tenant, project.slug))
  const level = watch.data?.level
  if (level === undefined) return null
  const { icon: Icon, text } = marks[level]
  return (
    <Menu
      align="end"
      look="plain"
      label={
        <>
          <Icon size={15} aria-hidden="true" /> {text}
        </>
      }
    >
      <MenuChoice
        label="News of this project"
        value={level}
        options={watchLevels.map((value) => ({ value, name: names[value] }))}
        onChoose={(next) => void watchAndTell(tenant, [project.slug], next, project.name)}
      />
    </Menu>
  )
}
