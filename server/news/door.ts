/** What other rooms use of news. */
export { type Chosen, type Reaching, routeNews } from './route.ts'
export { addressedTypes } from './rules.ts'
export { type Watchers, watchersOf } from './watches.ts'
