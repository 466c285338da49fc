package main

import (
	"context"
	"os"

	client "github.com/svc/client"
)

func must(ok bool, what string) {
	if !ok {
		panic(what)
	}
}

func main() {
	name := os.Getenv("SVC_NAME")
	settings := client.NewConfiguration()
	settings.Servers = client.ServerConfigurations{{URL: os.Getenv("SVC_URL")}}
	ctx := context.WithValue(context.Background(), client.ContextAccessToken, os.Getenv("SVC_TOKEN"))
	api := client.NewAPIClient(settings).ProjectsAPI
	made, _, err := api.ProjectsCreate(ctx, "local").ProjectsCreateRequest(*client.NewProjectsCreateRequest(name)).Execute()
	must(err == nil && made.GetSlug() == name && !made.Description.IsSet() || made.Description.Get() == nil, "the project was not created")
	listed, _, err := api.ProjectsList(ctx, "local").Q(name).Execute()
	must(err == nil && len(listed.GetItems()) == 1, "the project is not listed")
	_, answer, err := api.ProjectsGet(ctx, "local", "not-there").Execute()
	must(err != nil && answer.StatusCode == 404, "no error for what is not there")
}
