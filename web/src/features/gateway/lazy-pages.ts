/** The pages of this feature, which come over the wire together when the first of them is opened. */
export { EnvironmentPage } from './environment-page.tsx'
export { EnvironmentsPage } from './environments-page.tsx'
export { OverviewView } from './overview-view.tsx'
export { EventsView } from './events/events-view.tsx'
export { ExceptionsView } from './exceptions/exceptions-view.tsx'
export { RulesView } from './rules/rules-view.tsx'
