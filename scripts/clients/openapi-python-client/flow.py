import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "client"))

from svc_client import AuthenticatedClient
from svc_client.api.projects import projects_create, projects_get, projects_list
from svc_client.models import Error, ProjectRecord, ProjectsCreateRequest

name = os.environ["SVC_NAME"]
client = AuthenticatedClient(base_url=os.environ["SVC_URL"], token=os.environ["SVC_TOKEN"])
made = projects_create.sync("local", client=client, body=ProjectsCreateRequest(name=name))
assert isinstance(made, ProjectRecord) and made.slug == name and made.description is None
assert name in [it.slug for it in projects_list.sync("local", client=client, q=name).items]
missing = projects_get.sync("local", "not-there", client=client)
assert isinstance(missing, Error) and missing.detail.code == "project-not-found"
