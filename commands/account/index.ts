import { group } from '../../cli/declare.ts'

export default group({ summary: 'Link accounts of GitHub, GitLab and Bitbucket, whose tokens read repositories' })
