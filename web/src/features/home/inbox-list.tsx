import { useRouter } from '@tanstack/react-router'
import { useRef } from 'react'
import type { InboxItem } from '../../../../src/api/inbox.ts'
import { Button, buttonClass } from '../../parts/button.tsx'
import { List, Row } from '../../parts/list.tsx'
import { Moment } from '../../parts/page.tsx'
import { capitalized } from '../../parts/text.ts'
import { usePageKeys } from '../../parts/page-keys.ts'
import { placeOf } from '../notifications/queries.ts'
import { markDone } from './inbox-queries.ts'

const isPlainClick = (event: React.MouseEvent): boolean => !event.metaKey && !event.ctrlKey && !event.shiftKey

/** Opens where something is done about an item; news counts as read then. */
const useOpen = (tenant: string) => {
  const { history } = useRouter()
  return (item: InboxItem) => (event: React.MouseEvent) => {
    if (!isPlainClick(event)) return
    event.preventDefault()
    if (item.notification_id !== null) void markDone(tenant, item)
    history.push(placeOf(item.url))
  }
}

const InboxRow = ({ tenant, item }: { tenant: string; item: InboxItem }) => {
  const open = useOpen(tenant)
  const place = placeOf(item.url)
  const words = [item.who === null ? '' : `by ${item.who}`, item.detail ?? ''].filter((it) => it !== '').join(' · ')
  return (
    <Row>
      {item.what === '' ? null : (
        <p className="truncate font-medium" title={item.what}>
          {/^\S*\//.test(item.what) ? item.what : capitalized(item.what)}
        </p>
      )}
      <a
        href={place}
        data-inbox={item.id}
        className={`truncate hover:underline max-md:w-full ${item.what === '' ? 'font-medium md:col-span-2' : ''}`}
        title={item.subject}
        onClick={open(item)}
      >
        {item.subject}
      </a>
      <p className="truncate text-soft max-md:w-full max-md:whitespace-normal" title={words}>
        {words}
      </p>
      <p className="text-xs text-soft md:text-right">
        <Moment at={item.since} />
        {item.ends_at === null ? null : (
          <>
            , ends <Moment at={item.ends_at} />
          </>
        )}
      </p>
      <div className="flex items-center justify-end gap-2">
        {item.notification_id === null ? null : (
          <Button look="quiet" onClick={() => void markDone(tenant, item)}>
            Done<span className="sr-only">: {item.subject}</span>
          </Button>
        )}
        <a href={place} tabIndex={-1} aria-hidden="true" className={buttonClass()} onClick={open(item)}>
          {item.action}
        </a>
      </div>
    </Row>
  )
}

interface GroupProps {
  readonly tenant: string
  readonly name: string
  readonly level: 'h2' | 'h3'
  readonly items: readonly InboxItem[]
}

const Group = ({ tenant, name, level: Heading, items }: GroupProps) =>
  items.length === 0 ? null : (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1.5">
      <Heading className="text-xs font-medium text-soft">{name}</Heading>
      <List label={name} columns="minmax(0,1fr) minmax(0,1fr) minmax(0,1fr) 12.5rem 10.5rem">
        {items.map((item) => (
          <InboxRow key={item.id} tenant={tenant} item={item} />
        ))}
      </List>
    </div>
  )

/** What waits for the person: first what is to be decided, then what is to be looked at. j and k move, enter opens, e is done. */
export const InboxList = ({ tenant, level, items }: Omit<GroupProps, 'name'>) => {
  const frame = useRef<HTMLDivElement>(null)
  const links = () => [...(frame.current?.querySelectorAll<HTMLElement>('a[data-inbox]') ?? [])]
  const present = () => links().findIndex((link) => link.closest('li')?.contains(document.activeElement))
  const step = (by: number): void => {
    const all = links()
    const at = present()
    const next = at === -1 ? all.at(by > 0 ? 0 : -1) : all[at + by]
    next?.focus()
    next?.scrollIntoView({ block: 'nearest' })
  }
  const done = (): void => {
    const all = links()
    const at = present()
    const item = items.find(({ id }) => id === all[at]?.dataset['inbox'])
    if (item === undefined || item.notification_id === null) return
    ;(all[at + 1] ?? all[at - 1])?.focus()
    void markDone(tenant, item)
  }
  usePageKeys({ j: () => step(1), k: () => step(-1), e: done })
  return (
    <div ref={frame} className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <Group tenant={tenant} level={level} name="Decide" items={items.filter(({ urgency }) => urgency !== 'low')} />
      <Group tenant={tenant} level={level} name="Look at" items={items.filter(({ urgency }) => urgency === 'low')} />
    </div>
  )
}
