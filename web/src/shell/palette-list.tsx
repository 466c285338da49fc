import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useState } from 'react'
import { count } from '../parts/text.ts'
import { type Choice, useNotIndexed } from './catalog-choices.ts'
import { useChoices } from './choices.ts'
import {
  BookCheck,
  Box,
  Braces,
  Building2,
  CircleHelp,
  Folder,
  GitBranch,
  type LucideIcon,
  Palette,
  PanelsTopLeft,
  PlugZap,
  Settings,
  Tag,
  TriangleAlert,
  User,
  Waypoints,
  Zap,
} from 'lucide-react'

/** By the group of a destination, or by what the name of the group begins with. */
const icons: readonly (readonly [group: string, icon: LucideIcon])[] = [
  ['Projects', Folder],
  ['Versions', Tag],
  ['Operations', Waypoints],
  ['Schemas', Braces],
  ['Types', Braces],
  ['Consumers', PlugZap],
  ['Style guides', BookCheck],
  ['Rules', BookCheck],
  ['Findings', TriangleAlert],
  ['Members', User],
  ['You', User],
  ['Repositories', GitBranch],
  ['Linked accounts', GitBranch],
  ['Organizations', Building2],
  ['Pages', PanelsTopLeft],
  ['Actions', Zap],
  ['Settings', Settings],
  ['Theme', Palette],
  ['Help', CircleHelp],
]

/** The icon of the kind of a destination; what belongs to the project of the page has a group of its name. */
const ChoiceIcon = ({ group }: { group: string }) => {
  const [, Icon] = icons.find(([begin]) => group.startsWith(begin)) ?? ['', Box]
  return <Icon size={15} aria-hidden="true" className="shrink-0 self-center text-soft" />
}

const KeyHint = ({ keys, what }: { keys: readonly string[]; what: string }) => (
  <span>
    {keys.map((key) => (
      <kbd key={key} className="mr-1 rounded border px-1 font-sans">
        {key}
      </kbd>
    ))}
    {what}
  </span>
)

const DestinationList = ({
  id,
  choices,
  active,
  onActive,
  onChoose,
}: {
  id: string
  choices: readonly Choice[]
  active: number
  onActive: (index: number) => void
  onChoose: (choice: Choice) => void
}) => (
  <ul id={id} role="listbox" aria-label="Destinations" className="max-h-[50vh] overflow-auto p-1">
    {choices.map((choice, index) => (
      <li
        key={choice.group + choice.id}
        id={`${id}-${index}`}
        role="option"
        aria-selected={index === active}
        className="flex items-baseline gap-3 rounded-md px-3 py-1.5 aria-selected:bg-wash"
        onMouseMove={() => onActive(index)}
        onClick={() => onChoose(choice)}
      >
        <ChoiceIcon group={choice.group} />
        <span className="min-w-0 grow truncate">{choice.name}</span>
        {/* Where there is little room, what says more gives way to the name and the kind. */}
        {choice.detail ? (
          <span className="min-w-0 shrink-[99999] truncate text-xs text-soft">{choice.detail}</span>
        ) : null}
        <span className="max-w-[40%] shrink-0 truncate text-xs text-soft">{choice.group}</span>
      </li>
    ))}
  </ul>
)

const stepKeys: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

/** The destinations that match what was typed into the command palette. */
export const Destinations = ({
  list,
  text,
  keys,
  onActive,
  onDone,
}: {
  /** The id of the list, which the field names. */
  list: string
  text: string
  /** Gets what the keys of the field do here. */
  keys: RefObject<(event: KeyboardEvent) => void>
  /** Called with the place of the marked destination; null where nothing matches. */
  onActive: (active: number | null) => void
  onDone: () => void
}) => {
  const [active, setActive] = useState(0)
  const { choices, isSearching } = useChoices(text)
  const notIndexed = useNotIndexed(text)
  useEffect(() => setActive(0), [text])
  const marked = choices.length > 0 ? active : null
  useEffect(() => onActive(marked), [onActive, marked])
  const choose = (choice: Choice | undefined): void => {
    if (!choice) return
    onDone()
    choice.go()
  }
  useLayoutEffect(() => {
    keys.current = (event) => {
      const step = stepKeys[event.key]
      if (step !== undefined && choices.length > 0) {
        event.preventDefault()
        const next = (active + step + choices.length) % choices.length
        setActive(next)
        document.getElementById(`${list}-${next}`)?.scrollIntoView({ block: 'nearest' })
      }
      if (event.key === 'Enter') {
        event.preventDefault()
        choose(choices[active])
      }
    }
  })
  return (
    <>
      <DestinationList id={list} choices={choices} active={active} onActive={setActive} onChoose={choose} />
      {choices.length > 0 && isSearching ? (
        <p role="status" className="border-t px-4 py-2 text-xs text-soft">
          Searching …
        </p>
      ) : null}
      {choices.length === 0 ? (
        <p role="status" className="px-4 pb-4 text-soft">
          {isSearching ? 'Searching …' : 'No matches.'}
        </p>
      ) : null}
      {notIndexed > 0 ? (
        <p role="status" className="border-t px-4 py-2 text-xs text-soft">
          {count(notIndexed, 'older version is', 'older versions are')} still being indexed and cannot be found yet.
        </p>
      ) : null}
      {/* Only where there are such keys. */}
      <p aria-hidden="true" className="hidden gap-4 border-t px-4 py-2 text-xs text-soft sm:flex">
        <KeyHint keys={['↑', '↓']} what="to select" />
        <KeyHint keys={['Enter']} what="to open" />
        <KeyHint keys={['>']} what="actions" />
        <KeyHint keys={['/']} what="operations" />
        <KeyHint keys={['@']} what="projects and people" />
      </p>
    </>
  )
}
