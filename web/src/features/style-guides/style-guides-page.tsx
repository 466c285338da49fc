import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { StyleGuideOut } from '../../../../src/api/style-guide-shapes.ts'
import { useAddress } from '../../parts/address.ts'
import { Badge } from '../../parts/badge.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { svcCommand } from '../../parts/copy.tsx'
import { Window } from '../../parts/dialog.tsx'
import { Menu, MenuItem, MenuLine } from '../../parts/menu.tsx'
import { List, Row } from '../../parts/list.tsx'
import { Read } from '../../parts/listing.tsx'
import { count } from '../../parts/text.ts'
import { MainAction } from '../../parts/main-action.tsx'
import { Moment, Page, Section } from '../../parts/page.tsx'
import { holds, identityQuery } from '../../session.ts'
import { CreateGuide, GuideDialogs } from './guide-forms.tsx'
import { guidesQuery } from './queries.ts'

/** The projects that a guide applies to, in words. */
const appliesTo = ({ assignments, isDefault }: StyleGuideOut): string => {
  if (assignments > 0)
    return `${count(assignments, 'project', 'projects')}${isDefault ? ' and all without an assigned guide' : ''}`
  return isDefault ? 'all projects without an assigned guide' : 'no projects'
}

const Where = ({ tenant, guide }: { tenant: string; guide: StyleGuideOut }) => (
  <Link
    to="/t/$tenant/-/style-guides/$guide/assignments"
    params={{ tenant, guide: guide.id }}
    className="link relative z-10"
  >
    {appliesTo(guide)}
    <span className="sr-only"> under {guide.name}</span>
  </Link>
)

const GuideRow = ({
  tenant,
  guide,
  may,
  onAsk,
}: {
  tenant: string
  guide: StyleGuideOut
  may: boolean
  onAsk: (dialog: string) => void
}) => (
  <Row>
    <div className="flex min-w-0 items-baseline gap-2 max-md:w-full max-md:flex-wrap">
      <Link
        to="/t/$tenant/-/style-guides/$guide"
        params={{ tenant, guide: guide.id }}
        className="max-w-full shrink-0 truncate font-semibold after:absolute after:inset-0"
      >
        {guide.name}
      </Link>
      {guide.isDefault ? <Badge tone="accent">default</Badge> : null}
      <span className="min-w-0 truncate text-soft" title={guide.description}>
        {guide.description}
      </span>
    </div>
    <span className="text-soft">
      <span className="text-ink">{guide.rulesOn.toLocaleString()}</span> of {guide.rulesTotal.toLocaleString()} rules
      enabled{guide.customRules > 0 ? `, ${guide.customRules.toLocaleString()} custom` : ''}
    </span>
    <span className="truncate text-soft">
      <Where tenant={tenant} guide={guide} />
    </span>
    <span className="text-soft md:text-right">{guide.updatedAt ? <Moment at={guide.updatedAt} /> : null}</span>
    {may ? (
      <div className="relative z-10 justify-self-end">
        <Menu align="end" label={<span className="sr-only">Actions for {guide.name}</span>}>
          <MenuItem onClick={() => onAsk('duplicate')}>Duplicate …</MenuItem>
          {guide.isDefault ? null : <MenuItem onClick={() => onAsk('default')}>Make default …</MenuItem>}
          {guide.builtin ? null : (
            <>
              <MenuItem onClick={() => onAsk('rename')}>Rename …</MenuItem>
              <MenuLine />
              <MenuItem onClick={() => onAsk('delete')}>Delete …</MenuItem>
            </>
          )}
        </Menu>
      </div>
    ) : null}
  </Row>
)

/** The style guides of an organization: its own ones first, then the builtin ones. */
export const StyleGuidesPage = ({ tenant }: { tenant: string }) => {
  const guides = useQuery(guidesQuery(tenant))
  const identity = useQuery(identityQuery)
  const { dialog, item, open, close } = useAddress()
  const may = holds(identity.data, tenant, 'style_guides:edit')
  const asked = guides.data?.items.find((it) => it.id === item)
  const list = (items: readonly StyleGuideOut[]) => (
    <List columns="minmax(0,1fr) 15rem 10rem 7rem 2rem" heads={['Style guide', 'Rules', 'Applies to', 'Changed']}>
      {items.map((guide) => (
        <GuideRow key={guide.id} tenant={tenant} guide={guide} may={may} onAsk={(what) => open(what, guide.id)} />
      ))}
    </List>
  )
  return (
    <Page
      title="Style guides"
      description="Lint rules, their severities, and the publishing policy of projects."
      main={may ? <MainAction onClick={() => open('new')}>Create a guide …</MainAction> : null}
    >
      <Read query={guides} what="the guides">
        {({ items }) => {
          const own = items.filter((it) => !it.builtin)
          return (
            <>
              <Section
                title="Custom guides"
                actions={<CommandHint command={svcCommand(tenant, ['style-guide', 'list'])} />}
              >
                {own.length > 0 ? (
                  list(own)
                ) : (
                  <p className="card border-dashed px-4 py-6 text-soft">
                    No custom guides yet. A guide enables rules, sets their severities, adds custom rules in Spectral's
                    format and defines the publishing policy.{' '}
                    {may ? 'Duplicate a builtin guide to start with its rules.' : 'An Owner or Admin can create one.'}
                  </p>
                )}
              </Section>
              <Section title="Builtin" description="Builtin guides cannot be changed; duplicate one to customize it.">
                {list(items.filter((it) => it.builtin))}
              </Section>
            </>
          )
        }}
      </Read>
      <Window
        open={(dialog === 'new' || (dialog === 'duplicate' && asked !== undefined)) && may}
        onClose={close}
        title={asked ? `Duplicate ${asked.name}` : 'Create a style guide'}
      >
        <CreateGuide tenant={tenant} source={asked} onClose={close} />
      </Window>
      <GuideDialogs tenant={tenant} guide={asked} may={may} />
    </Page>
  )
}
