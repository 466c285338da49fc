import os

import openapi_client
from openapi_client.exceptions import NotFoundException

name = os.environ["SVC_NAME"]
settings = openapi_client.Configuration(host=os.environ["SVC_URL"], access_token=os.environ["SVC_TOKEN"])
with openapi_client.ApiClient(settings) as client:
    api = openapi_client.ProjectsApi(client)
    made = api.projects_create("local", openapi_client.ProjectsCreateRequest(name=name))
    assert made.slug == name and made.description is None
    assert name in [it.slug for it in api.projects_list("local", q=name).items]
    try:
        api.projects_get("local", "not-there")
        raise AssertionError("no error for what is not there")
    except NotFoundException as error:
        assert error.data.detail.code == "project-not-found"
